package dev.towtank.app.conformance;

import java.time.Duration;

/// How an example went.
public sealed interface Verdict {

    record Passed() implements Verdict {}

    /// @param why in the words of the server
    record Failed(String why) implements Verdict {}

    /// It needs what is not here, so it says nothing about us.
    record Skipped(String why) implements Verdict {}

    default String word() {
        return switch (this) {
            case Passed _ -> "passed";
            case Failed _ -> "failed";
            case Skipped _ -> "skipped";
        };
    }

    default String reason() {
        return switch (this) {
            case Passed _ -> "";
            case Failed(var why) -> why;
            case Skipped(var why) -> why;
        };
    }

    /// An example with how it went.
    record Of(Example example, Verdict verdict, Duration took) {}
}
