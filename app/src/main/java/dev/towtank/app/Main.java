package dev.towtank.app;

/// Where the process starts.
public final class Main {
    private Main() {}

    static void main() {
        System.out.println("towtank");
    }
}
