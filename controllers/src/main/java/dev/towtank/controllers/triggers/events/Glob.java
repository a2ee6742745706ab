package dev.towtank.controllers.triggers.events;

/// Names of branches with stars in them, each of which stands for any text.
public final class Glob {

    private Glob() {}

    public static boolean matches(String pattern, String name) {
        int at = 0;
        int star = -1;
        int tried = 0;
        int i = 0;
        while (i < name.length()) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                star = at++;
                tried = i;
            } else if (at < pattern.length() && pattern.charAt(at) == name.charAt(i)) {
                at++;
                i++;
            } else if (star >= 0) {
                at = star + 1;
                i = ++tried;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == '*') {
            at++;
        }
        return at == pattern.length();
    }
}
