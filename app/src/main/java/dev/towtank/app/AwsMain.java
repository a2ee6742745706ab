package dev.towtank.app;

import dev.towtank.controllers.buckets.source.tool.AwsTool;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;

/// The small `aws` of pods, a program of its own; see `AwsProgram`, which gives it to them.
public final class AwsMain {

    private AwsMain() {}

    public static void main(String[] arguments) {
        // Whole blocks: what is downloaded may be large.
        var out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        int code = new AwsTool(System.getenv(), InstantSource.system(), out, System.err).run(List.of(arguments));
        out.flush();
        System.exit(code);
    }
}
