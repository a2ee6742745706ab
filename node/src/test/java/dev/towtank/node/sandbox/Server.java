package dev.towtank.node.sandbox;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// A server of its own that looks after one container, to be killed by a test.
final class Server {

    private Server() {}

    /// Starts a container and says `up`, then `seen` when its log has so many lines.
    public static void main(String[] arguments) throws Exception {
        var home = Path.of(arguments[0]);
        var sandbox = Sandboxes.bubblewrap(home.resolve("shared"), InstantSource.system());
        var script = arguments[1];
        var recipe = script.startsWith("tty: ")
                ? recipe(home).tty().script(script.substring(5))
                : recipe(home).script(script);
        var container = sandbox.start(recipe.spec());
        System.out.println("up");
        try (var in = container.log().read(Logs.following())) {
            for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
                Logs.line(in);
            }
        }
        System.out.println("seen");
        container.await();
        System.in.read();
    }

    static Recipe recipe(Path home) {
        return new Recipe("c1", home).mount(home.resolve("volume"), "/v", false).masked("secret-value");
    }

    static Process start(Path home, String script, int lines) throws Exception {
        return run(List.of(), classPath(), Server.class, home.toString(), script, Integer.toString(lines));
    }

    static Process run(List<String> prefix, String classPath, Class<?> main, String... arguments) throws IOException {
        var line = new ArrayList<>(prefix);
        line.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                main.getName()));
        line.addAll(List.of(arguments));
        return new ProcessBuilder(line)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /// Whatever the sandbox needs, wherever this JVM has it from.
    static List<Path> locations() throws URISyntaxException {
        var found = new LinkedHashSet<Path>();
        for (var type : List.of(
                Server.class,
                Sandbox.class,
                dev.towtank.cluster.pods.PodAccess.class,
                dev.towtank.model.Json.class,
                named("com.fasterxml.jackson.core.JsonFactory"),
                named("org.apache.commons.compress.archivers.tar.TarArchiveInputStream"),
                named("org.apache.commons.io.IOUtils"),
                named("org.apache.commons.lang3.ArrayFill"),
                org.jspecify.annotations.NullMarked.class)) {
            found.add(Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI()));
        }
        return List.copyOf(found);
    }

    private static Class<?> named(String library) {
        try {
            return Class.forName(library);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    static String classPath() throws URISyntaxException {
        return String.join(":", locations().stream().map(Path::toString).toList());
    }

    /// The same, where anybody may read it.
    static String readableClassPath(Path directory) throws Exception {
        var copies = new ArrayList<String>();
        int number = 0;
        for (var location : locations()) {
            var copy = directory.resolve(number++ + (Files.isDirectory(location) ? "" : ".jar"));
            try (var files = Files.walk(location)) {
                for (var file : files.toList()) {
                    Files.copy(file, copy.resolve(location.relativize(file).toString()));
                }
            }
            copies.add(copy.toString());
        }
        return String.join(":", copies);
    }
}
