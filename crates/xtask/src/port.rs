//! A port of this machine for a server.

use std::io;
use std::net::{Ipv4Addr, TcpListener};

use crate::failure::{Failure, Outcome};

/// How many ports after a taken one are tried.
const TRIES: u16 = 100;

/// The result of requesting a port.
#[derive(Debug)]
pub(crate) enum Answer {
    /// The port is ours.
    Listening(TcpListener),
    /// Another program has it; `next` is free.
    Taken {
        /// The nearest free port above it.
        next: Option<u16>,
    },
}

/// Requests `port` on the loopback address only, so that no other machine can reach it.
pub(crate) fn ask(port: u16) -> Outcome<Answer> {
    match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        Ok(listener) => Ok(Answer::Listening(listener)),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Ok(Answer::Taken { next: next_free(port) }),
        Err(error) => Err(Failure::new(format!("port {port} cannot be used: {error}"))
            .advise("Choose another one, for example `cargo xtask play --port 8080`.")),
    }
}

/// Any free port, for servers that only a test uses.
pub(crate) fn any() -> Outcome<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .map_err(|error| Failure::new(format!("no port of 127.0.0.1 can be used: {error}")))
}

fn next_free(port: u16) -> Option<u16> {
    (1..=TRIES)
        .filter_map(|more| port.checked_add(more))
        .find(|next| TcpListener::bind((Ipv4Addr::LOCALHOST, *next)).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_is_named_with_a_free_one_above_it() {
        let taken = any().unwrap();
        let port = taken.local_addr().unwrap().port();
        let Answer::Taken { next } = ask(port).unwrap() else { panic!("{port} was given out twice") };
        // The last port has no higher one.
        if let Some(next) = next {
            assert!(next > port);
            assert!(matches!(ask(next).unwrap(), Answer::Listening(_)));
        }
    }

    #[test]
    fn the_last_port_has_no_next_one() {
        assert_eq!(next_free(u16::MAX), None);
    }
}
