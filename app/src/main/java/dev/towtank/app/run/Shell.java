package dev.towtank.app.run;

import java.util.regex.Pattern;

/// Text that a user can paste into a shell.
final class Shell {

    private static final Pattern HARMLESS = Pattern.compile("[\\w@%+=:,./-]+");

    private Shell() {}

    static String quote(String text) {
        return HARMLESS.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
