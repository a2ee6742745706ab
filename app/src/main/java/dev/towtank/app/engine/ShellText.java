package dev.towtank.app.engine;

import java.util.regex.Pattern;

/// Text that a user can paste into a shell.
public final class ShellText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ShellText() {}

    public static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
