//! How wide the terminal is.

/// How many columns the terminal has that standard output or else standard error goes to, if one of them does.
#[cfg(unix)]
pub(super) fn of_terminal() -> Option<usize> {
    [libc::STDOUT_FILENO, libc::STDERR_FILENO].into_iter().find_map(|file| {
        let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
        // SAFETY: `TIOCGWINSZ` writes a `winsize` to where its argument points, which is one, or fails.
        let status = unsafe { libc::ioctl(file, libc::TIOCGWINSZ, &raw mut size) };
        Some(usize::from(size.ws_col)).filter(|&columns| status == 0 && columns > 0)
    })
}

/// Elsewhere that is not asked.
#[cfg(not(unix))]
pub(super) fn of_terminal() -> Option<usize> {
    None
}
