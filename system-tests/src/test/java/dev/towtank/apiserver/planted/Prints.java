package dev.towtank.apiserver.planted;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
final class Prints {
    static void print() {
        System.out.println();
    }
}
