//! A static file server for one folder on this machine, with the headers that the playground should be served with.
//!
//! It answers GET and HEAD, which is enough for one user and one page. `tiny_http` implements the protocol; this file
//! finds the requested file and refuses files outside the folder.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use tiny_http::{Header, Method, Request, Response, Server};

use crate::failure::{Context, Failure, Outcome};

/// How many requests are answered in parallel, so that a slow client does not block the others.
const THREADS: usize = 4;
/// Sent with every response. The page's own `<meta>` contains its content security policy.
const HEADERS: [(&str, &str); 3] = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-cache"),
];

/// A folder and its port.
pub(crate) struct Site {
    server: Arc<Server>,
    address: SocketAddr,
    folder: Arc<Path>,
}

impl Site {
    /// Prepares to serve `folder`; connections wait until [`Site::serve`] is called.
    pub(crate) fn new(listener: TcpListener, folder: &Path) -> Outcome<Self> {
        // Resolved once, because every file must be inside it after resolving links.
        let folder = folder.canonicalize().context(|| format!("cannot serve {}", folder.display()))?;
        let address = listener.local_addr().context(|| "cannot tell the port".to_owned())?;
        let server = Server::from_listener(listener, None)
            .map_err(|error| Failure::new(format!("cannot serve on {address}: {error}")))?;
        Ok(Self { server: Arc::new(server), address, folder: folder.into() })
    }

    /// The address of the site.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the program ends.
    pub(crate) fn serve(self) {
        for thread in self.start() {
            // A thread that panics has printed its message; the others continue.
            let _ = thread.join();
        }
    }

    /// Serves in the background until the program ends.
    pub(crate) fn serve_in_background(self) {
        self.start();
    }

    fn start(&self) -> Vec<thread::JoinHandle<()>> {
        let answer = || {
            let (server, folder) = (Arc::clone(&self.server), Arc::clone(&self.folder));
            thread::spawn(move || {
                while let Ok(request) = server.recv() {
                    let reply = Reply::to(request.method(), request.url(), &folder);
                    // A client may close the connection early.
                    drop(reply.send(request));
                }
            })
        };
        (0..THREADS).map(|_| answer()).collect()
    }
}

/// A response that is ready to be sent.
#[derive(Debug)]
struct Reply {
    status: u16,
    kind: &'static str,
    body: Vec<u8>,
}

impl Reply {
    /// The response to a request for `target`, such as `/app.wasm`.
    fn to(method: &Method, target: &str, folder: &Path) -> Self {
        if !matches!(method, Method::Get | Method::Head) {
            return Self::plain(405, "405 Method Not Allowed");
        }
        let Some(path) = relative(target) else { return Self::plain(400, "400 Bad Request") };
        match read_inside(folder, &path) {
            Some((path, body)) => Self { status: 200, kind: kind_of(&path), body },
            None => Self::plain(404, "404 Not Found"),
        }
    }

    fn plain(status: u16, text: &str) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", body: format!("{text}\n").into_bytes() }
    }

    fn headers(&self) -> Vec<Header> {
        let allow = (self.status == 405).then_some(("Allow", "GET, HEAD"));
        let all = HEADERS.into_iter().chain([("Content-Type", self.kind)]).chain(allow);
        all.filter_map(|(name, value)| Header::from_bytes(name, value).ok()).collect()
    }

    fn send(self, request: Request) -> std::io::Result<()> {
        let headers = self.headers();
        let mut response = Response::from_data(self.body).with_status_code(self.status);
        // In one piece and with its length, however long.
        response = response.with_chunked_threshold(usize::MAX);
        for header in headers {
            response.add_header(header);
        }
        request.respond(response)
    }
}

/// The requested file, relative to the folder. `None` for a path that could lead out of it.
fn relative(target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let path = percent_decoded(path)?;
    let mut file = PathBuf::new();
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        if segment.starts_with('.') || segment.contains(['\\', '\0', ':']) {
            return None;
        }
        file.push(segment);
    }
    Some(file)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' {
            let high = char::from(bytes.next()?).to_digit(16)?;
            let low = char::from(bytes.next()?).to_digit(16)?;
            u8::try_from(high * 16 + low).ok()?
        } else {
            byte
        });
    }
    String::from_utf8(decoded).ok()
}

fn read_inside(folder: &Path, path: &Path) -> Option<(PathBuf, Vec<u8>)> {
    let mut file = folder.join(path).canonicalize().ok()?;
    if file.is_dir() {
        file = file.join("index.html").canonicalize().ok()?;
    }
    if !file.starts_with(folder) {
        return None;
    }
    let body = fs::read(&file).ok()?;
    Some((file, body))
}

/// The media type of a file's extension. Browsers refuse modules and WebAssembly with any other.
fn kind_of(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()).unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        "webmanifest" => "application/manifest+json",
        "txt" | "md" | "jsonl" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use super::*;

    fn get(target: &str, folder: &Path) -> Reply {
        Reply::to(&Method::Get, target, folder)
    }

    fn site(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("xtask-serve-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("site/sub")).unwrap();
        fs::write(folder.join("secret.txt"), "secret").unwrap();
        fs::write(folder.join("site/index.html"), "<p>home").unwrap();
        fs::write(folder.join("site/app one.wasm"), b"\0asm").unwrap();
        folder.join("site").canonicalize().unwrap()
    }

    #[test]
    fn the_root_is_the_index_and_queries_do_not_matter() {
        let folder = site("root");
        for target in ["/", "/index.html", "/?a=b#c"] {
            let reply = get(target, &folder);
            assert_eq!((reply.status, reply.kind), (200, "text/html; charset=utf-8"));
            assert_eq!(reply.body, b"<p>home");
        }
    }

    #[test]
    fn wasm_has_its_media_type() {
        let folder = site("kinds");
        let reply = get("/app%20one.wasm", &folder);
        assert_eq!((reply.status, reply.kind), (200, "application/wasm"));
        assert_eq!(kind_of(Path::new("a/b.js")), "text/javascript; charset=utf-8");
    }

    #[test]
    fn nothing_outside_the_folder_is_served() {
        let folder = site("outside");
        #[cfg(unix)]
        std::os::unix::fs::symlink("../secret.txt", folder.join("link.txt")).unwrap();
        for target in [
            "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/sub/../../secret.txt", "/link.txt",
            "/..\\secret.txt", "//etc/passwd", "secret.txt",
        ] {
            let reply = get(target, &folder);
            assert!((400..500).contains(&reply.status), "{target}: {}", reply.status);
            assert!(!reply.body.starts_with(b"secret"));
        }
    }

    #[test]
    fn folders_without_index_and_other_methods_are_refused() {
        let folder = site("methods");
        assert_eq!(get("/sub", &folder).status, 404);
        let refused = Reply::to(&Method::Post, "/", &folder);
        assert_eq!(refused.status, 405);
        assert!(refused.headers().iter().any(|header| header.field.equiv("Allow")));
        assert_eq!(get("/%zz", &folder).status, 400);
    }

    /// The server's response to one request.
    fn said(address: SocketAddr, request: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        let request = format!("{request} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn a_client_gets_its_answer_over_the_wire_and_head_has_no_body() {
        let folder = site("wire");
        fs::write(folder.join("long.txt"), "x".repeat(100_000)).unwrap();
        let site = Site::new(crate::port::any().unwrap(), &folder).unwrap();
        let address = site.address();
        site.serve_in_background();
        let answer = said(address, "GET /");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\r\n\r\n<p>home"), "{answer}");
        assert!(answer.contains("X-Content-Type-Options: nosniff\r\n"), "{answer}");
        let head = said(address, "HEAD /app%20one.wasm");
        assert!(head.contains("Content-Length: 4\r\n") && head.ends_with("\r\n\r\n"), "{head}");
        assert!(said(address, "GET /long.txt").contains("Content-Length: 100000\r\n"));
        assert!(said(address, "DELETE /").starts_with("HTTP/1.1 405 "));
    }
}
