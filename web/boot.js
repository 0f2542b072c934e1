// Sets the theme before the first paint, starts the program, and reports a start that does not finish (docs/internals/page-start.md).
(() => {
  let theme = 'system';
  try {
    theme = localStorage.getItem('ebbline.theme') ?? theme;
  } catch {
    // Storage may be disabled; the system's theme applies then.
  }
  document.documentElement.dataset.theme = theme;

  // After this many milliseconds without progress the start counts as stuck. Together with the time that a slow machine
  // needs before, the user is told within ten seconds.
  const PATIENCE = 7_000;
  let [heard, received, isWhole, isOver] = [performance.now(), 0, false, false];
  const element = (id) => document.getElementById(id);
  const progress = (bytes = 0) => {
    heard = performance.now();
    received += bytes;
  };
  // Places in the program are all that an error tells: its message never quotes a session. The first error tells the cause.
  const stop = (error) => {
    if (isOver) return;
    isOver = true;
    element('late')?.setAttribute('hidden', '');
    element('panic')?.removeAttribute('hidden');
    const stack = error?.stack ?? '';
    const what = stack.startsWith(`${error}`) ? stack : `${error} ${stack}`;
    const report = element('panic-report');
    if (report) report.textContent = ['ebbline', document.documentElement.dataset.ready, what].filter(Boolean).join(' ');
  };
  const say = (what, how) => {
    const panel = element('late');
    if (!panel || element('late-what').textContent + element('late-how').textContent === what + how) return;
    element('late-what').textContent = what;
    element('late-how').textContent = how;
    panel.removeAttribute('hidden');
  };
  const began = performance.now();
  const watch = setInterval(() => {
    if (isOver || document.documentElement.hasAttribute('data-ready')) {
      element('late')?.setAttribute('hidden', '');
      clearInterval(watch);
      return;
    }
    const now = performance.now();
    const read = `${Math.round(received / 1_000).toLocaleString('en')} KB`;
    if (now - heard >= PATIENCE) {
      const where = isWhole
        ? 'It is loaded completely but does not start.'
        : received
          ? `The download has stopped after ${read}.`
          : 'The server has sent nothing.';
      say('The playground has not started.', `${where} Reloading the page usually helps, and nothing is lost.`);
    } else if (now - began >= PATIENCE) {
      say(
        'The playground is still being loaded.',
        `The connection is slow: ${read} are loaded so far. The playground starts by itself when everything is loaded.`,
      );
    }
  }, 500);

  // The module is fetched once, here, and passed to the program. With a preload link and a second request by the program,
  // about one start in several hundred never finished.
  const module = fetch(new URL('ebbline-web_bg.wasm', document.baseURI)).then((response) => {
    progress();
    follow(response.clone());
    return response;
  });
  const follow = async (copy) => {
    const reader = copy.body?.getReader();
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader.read()) progress(chunk.value.length);
    isWhole = true;
    progress();
  };
  // The program replaces the shell. What the parser reads after that would stand beside the page, so the shell comes first.
  const parsed = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve, { once: true }));
  // The import below reports this error; without this line the browser would report it again.
  module.catch(() => {});
  import('./ebbline-web.js')
    .then(async (program) => {
      progress();
      await parsed;
      return program.default({ module_or_path: module });
    })
    .catch((error) => {
      console.error(error);
      stop(error);
    });

  // Once everything is there, a service worker keeps it for visits without a network. Where there is none, nothing changes.
  new MutationObserver((_, observer) => {
    if (!document.documentElement.hasAttribute('data-open')) return;
    observer.disconnect();
    navigator.serviceWorker?.register('offline.js').catch(() => {});
  }).observe(document.documentElement, { attributes: true });

  // After a trap the program cannot report the error itself.
  const trapped = (error) => {
    if (error instanceof WebAssembly.RuntimeError) stop(error);
  };
  addEventListener('error', (event) => trapped(event.error));
  addEventListener('unhandledrejection', (event) => trapped(event.reason));
})();
