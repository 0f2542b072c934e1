// Sets the theme before anything is painted, then starts the program.
(() => {
  let theme = "system";
  try {
    theme = localStorage.getItem("ebbline.theme") ?? theme;
  } catch {
    // Storage may be switched off: then the system decides.
  }
  document.documentElement.dataset.theme = theme;
  import("./ebbline-web.js")
    .then((program) => program.default({ module_or_path: new URL("ebbline-web_bg.wasm", document.baseURI) }))
    .catch((error) => {
      console.error(error);
      document.getElementById("panic")?.removeAttribute("hidden");
    });
})();
