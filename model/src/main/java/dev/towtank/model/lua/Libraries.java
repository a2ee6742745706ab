package dev.towtank.model.lua;

/// Which libraries a script sees, as in Argo CD: scripts of users see fewer unless they set `useOpenLibs`.
public enum Libraries {
    /// The base functions, `table` and `os`.
    RESTRICTED,
    /// Also `string` and `math`.
    OPEN
}
