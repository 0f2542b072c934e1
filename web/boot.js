// Sets the theme before anything is painted, starts the program, and watches that the start ends (docs/start.md).
(() => {
  let theme = "system";
  try {
    theme = localStorage.getItem("ebbline.theme") ?? theme;
  } catch {
    // Storage may be switched off: then the system decides.
  }
  document.documentElement.dataset.theme = theme;

  // Without progress for so long, the start counts as stuck, in milliseconds. With what came before on a slow machine it
  // shall be told within ten seconds.
  const PATIENCE = 7_000;
  let [heard, received, isWhole, isOver] = [performance.now(), 0, false, false];
  const element = (id) => document.getElementById(id);
  const progress = (bytes = 0) => {
    heard = performance.now();
    received += bytes;
  };
  const stop = () => {
    isOver = true;
    element("late")?.setAttribute("hidden", "");
    element("panic")?.removeAttribute("hidden");
  };
  const say = (what, how) => {
    const panel = element("late");
    if (!panel || element("late-what").textContent + element("late-how").textContent === what + how) return;
    element("late-what").textContent = what;
    element("late-how").textContent = how;
    panel.removeAttribute("hidden");
  };
  const began = performance.now();
  const watch = setInterval(() => {
    if (isOver || document.documentElement.hasAttribute("data-ready")) {
      element("late")?.setAttribute("hidden", "");
      clearInterval(watch);
      return;
    }
    const now = performance.now();
    const read = `${Math.round(received / 1_000).toLocaleString("en")} KB`;
    if (now - heard >= PATIENCE) {
      const where = isWhole ? "It was loaded whole and does not begin." : received ? `Nothing more has come after ${read}.` : "Nothing has come from the server.";
      say("The playground has not started.", `${where} Reloading the page mostly helps; nothing is lost by it.`);
    } else if (now - began >= PATIENCE) {
      say("The playground is still being loaded.", `The connection is slow: ${read} have come so far. It starts by itself when all is there.`);
    }
  }, 500);

  // The module is asked for here, once, and what comes of it is handed to the program. A preload link beside a request
  // of the program's own left one start in some hundreds without an end.
  const module = fetch(new URL("ebbline-web_bg.wasm", document.baseURI)).then((response) => {
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
  // Told by the start below; this only keeps the browser from reporting it twice.
  module.catch(() => {});
  import("./ebbline-web.js")
    .then((program) => {
      progress();
      return program.default({ module_or_path: module });
    })
    .catch((error) => {
      console.error(error);
      stop();
    });

  // A trap leaves the program in no state to say so itself.
  const trapped = (error) => {
    if (error instanceof WebAssembly.RuntimeError) stop();
  };
  addEventListener("error", (event) => trapped(event.error));
  addEventListener("unhandledrejection", (event) => trapped(event.reason));
})();
