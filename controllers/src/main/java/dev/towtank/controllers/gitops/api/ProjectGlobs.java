package dev.towtank.controllers.gitops.api;

/// Patterns with `*` and `?`, as projects have them: a star stands for anything, slashes among it.
public final class ProjectGlobs {

    private ProjectGlobs() {}

    public static boolean matches(String pattern, String text) {
        int at = 0;
        int star = -1;
        int resume = 0;
        int i = 0;
        while (i < text.length()) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                star = at++;
                resume = i;
            } else if (at < pattern.length() && (pattern.charAt(at) == '?' || pattern.charAt(at) == text.charAt(i))) {
                at++;
                i++;
            } else if (star >= 0) {
                at = star + 1;
                i = ++resume;
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
