// Shows the entries that have all the words. It asks no server.
const input = document.getElementById('search');
const entries = [...document.querySelectorAll('#entries li')].map((item) => ({ item, text: item.textContent.toLowerCase() }));

function show() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { item, text } of entries) {
    item.hidden = !words.every((word) => text.includes(word));
    if (!item.hidden) count += 1;
  }
  document.getElementById('found').textContent = words.length === 0 ? '' : `${count} of ${entries.length} sections`;
}

input.addEventListener('input', show);
input.value = decodeURIComponent(location.hash.slice(1));
show();
