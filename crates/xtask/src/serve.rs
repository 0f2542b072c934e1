//! A static file server for one folder on this machine, with the headers the playground is meant to be served with.
//!
//! It answers GET and HEAD and closes the connection after each answer: for one person and one page that is enough, and
//! there is little that could go wrong.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::failure::{Context, Outcome};

/// The longest request head that is read.
const LONGEST_HEAD: u64 = 16 * 1024;
/// How long a silent client keeps a thread.
const PATIENCE: Duration = Duration::from_secs(15);
/// Sent with every answer. The page's own `<meta>` holds its content security policy.
const HEADERS: &str = "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCache-Control: no-cache\r\nConnection: close\r\n";

/// A folder and the port it is served on.
#[derive(Debug)]
pub(crate) struct Site {
    listener: TcpListener,
    folder: Arc<Path>,
}

impl Site {
    /// Prepares to serve `folder`.
    ///
    /// # Errors
    ///
    /// When the folder does not exist.
    pub(crate) fn new(listener: TcpListener, folder: &Path) -> Outcome<Self> {
        // Resolved once: every file must turn out to lie inside, whatever links there are.
        let folder = folder.canonicalize().context(|| format!("cannot serve {}", folder.display()))?;
        Ok(Self { listener, folder: folder.into() })
    }

    /// Where the site is reached.
    ///
    /// # Errors
    ///
    /// When the system has taken the port back.
    pub(crate) fn address(&self) -> Outcome<SocketAddr> {
        self.listener.local_addr().context(|| "cannot tell the port".to_owned())
    }

    /// Answers until the program ends.
    pub(crate) fn serve(self) {
        for stream in self.listener.incoming().flatten() {
            let folder = Arc::clone(&self.folder);
            // A client that goes away in the middle is its own affair.
            thread::spawn(move || drop(converse(&stream, &folder)));
        }
    }

    /// Answers in the background until the program ends.
    pub(crate) fn serve_in_background(self) {
        thread::spawn(move || self.serve());
    }
}

fn converse(stream: &TcpStream, folder: &Path) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut head = BufReader::new(stream.take(LONGEST_HEAD));
    let mut request = String::new();
    head.read_line(&mut request)?;
    // The other lines of the head say nothing that changes the answer, but they must be read before one is given.
    let mut line = String::new();
    while head.read_line(&mut line)? > 2 {
        line.clear();
    }
    if request.is_empty() {
        return Ok(());
    }
    let reply = Reply::to(&request, folder);
    let mut stream = stream;
    stream.write_all(reply.head().as_bytes())?;
    if !reply.head_only {
        stream.write_all(&reply.body)?;
    }
    stream.flush()
}

/// An answer, ready to be sent.
#[derive(Debug)]
struct Reply {
    status: &'static str,
    kind: &'static str,
    more: &'static str,
    body: Vec<u8>,
    head_only: bool,
}

impl Reply {
    /// The answer to a request line such as `GET /app.wasm HTTP/1.1`.
    fn to(request: &str, folder: &Path) -> Self {
        let mut words = request.split_whitespace();
        let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        if !matches!(method, "GET" | "HEAD") {
            return Self { more: "Allow: GET, HEAD\r\n", ..Self::plain("405 Method Not Allowed") };
        }
        let mut reply = match relative(target) {
            None => Self::plain("400 Bad Request"),
            Some(path) => match read_inside(folder, &path) {
                Some((path, body)) => {
                    Self { status: "200 OK", kind: kind_of(&path), more: "", body, head_only: false }
                }
                None => Self::plain("404 Not Found"),
            },
        };
        reply.head_only = method == "HEAD";
        reply
    }

    fn plain(status: &'static str) -> Self {
        let body = format!("{status}\n").into_bytes();
        Self { status, kind: "text/plain; charset=utf-8", more: "", body, head_only: false }
    }

    fn head(&self) -> String {
        let Self { status, kind, more, body, .. } = self;
        format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{HEADERS}{more}\r\n",
            body.len()
        )
    }
}

/// The file a request names, relative to the folder. `None` for whatever could lead out of it.
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

/// The media type by the file's ending. Browsers refuse modules and WebAssembly under any other.
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
    use super::*;

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
            let reply = Reply::to(&format!("GET {target} HTTP/1.1\r\n"), &folder);
            assert_eq!((reply.status, reply.kind), ("200 OK", "text/html; charset=utf-8"));
            assert_eq!(reply.body, b"<p>home");
        }
    }

    #[test]
    fn wasm_has_its_media_type_and_head_has_no_body() {
        let folder = site("kinds");
        let reply = Reply::to("HEAD /app%20one.wasm HTTP/1.1", &folder);
        assert_eq!((reply.status, reply.kind, reply.head_only), ("200 OK", "application/wasm", true));
        assert!(reply.head().contains("Content-Length: 4\r\n"));
        assert!(reply.head().contains("X-Content-Type-Options: nosniff\r\n"));
        assert_eq!(kind_of(Path::new("a/b.js")), "text/javascript; charset=utf-8");
    }

    #[test]
    fn nothing_outside_the_folder_is_served() {
        let folder = site("outside");
        #[cfg(unix)]
        std::os::unix::fs::symlink("../secret.txt", folder.join("link.txt")).unwrap();
        for target in [
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/..%2fsecret.txt",
            "/sub/../../secret.txt",
            "/link.txt",
            "/..\\secret.txt",
            "//etc/passwd",
            "secret.txt",
        ] {
            let reply = Reply::to(&format!("GET {target} HTTP/1.1"), &folder);
            assert!(reply.status.starts_with('4'), "{target}: {}", reply.status);
            assert!(!reply.body.starts_with(b"secret"));
        }
    }

    #[test]
    fn folders_without_index_and_other_methods_are_refused() {
        let folder = site("methods");
        assert_eq!(Reply::to("GET /sub HTTP/1.1", &folder).status, "404 Not Found");
        assert_eq!(Reply::to("POST / HTTP/1.1", &folder).status, "405 Method Not Allowed");
        assert_eq!(Reply::to("\r\n", &folder).status, "405 Method Not Allowed");
        assert_eq!(Reply::to("GET /%zz HTTP/1.1", &folder).status, "400 Bad Request");
    }

    #[test]
    fn a_client_gets_its_answer_over_the_wire() {
        let folder = site("wire");
        let site = Site::new(crate::port::any().unwrap(), &folder).unwrap();
        let address = site.address().unwrap();
        site.serve_in_background();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("\r\n\r\n<p>home"), "{answer}");
    }
}
