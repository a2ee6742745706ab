package dev.towtank.controllers.testclusters.source;

import dev.towtank.cluster.Deed;
import dev.towtank.controllers.testclusters.programs.ProgramDeed;
import dev.towtank.model.Json;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Runs kind and k3d, each as whoever started the server would. Nothing that a tenant wrote is among the arguments.
public final class ClusterPrograms implements Deed.Doer<ProgramDeed> {

    private static final Duration LONGEST = Duration.ofMinutes(15);
    private static final int MOST_OUTPUT = 128 << 10;

    private final String path;

    /// @param path where programs are, as in the variable PATH
    public ClusterPrograms(String path) {
        this.path = path;
    }

    private record Said(int exit, String out, String err) {}

    @Override
    public Json done(ProgramDeed deed) throws IOException, InterruptedException {
        var program = find(deed.program());
        if (program.isEmpty()) {
            return Json.Obj.of(
                    "error",
                    Json.of("there is no program " + deed.program()
                            + " on the PATH of the server: install it, or use a template of another provider"));
        }
        return switch (deed) {
            case ProgramDeed.Make make -> made(program.get(), make);
            case ProgramDeed.Remove remove -> removed(program.get(), remove);
        };
    }

    private Optional<Path> find(String program) {
        for (var folder : path.split(File.pathSeparator, -1)) {
            var candidate = Path.of(folder.isEmpty() ? "." : folder, program);
            if (Files.isExecutable(candidate) && Files.isRegularFile(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    private static Json made(Path program, ProgramDeed.Make deed) throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("towtank-cluster");
        try {
            boolean isKind = deed.program().equals("kind");
            var create = isKind
                    ? List.of("create", "cluster", "--name", deed.name(), "--wait", "5m")
                    : List.of(
                            "cluster",
                            "create",
                            deed.name(),
                            "--wait",
                            "--kubeconfig-update-default=false",
                            "--kubeconfig-switch-context=false");
            // After a crash it may be there already, which these tell.
            var show = isKind
                    ? List.of("get", "kubeconfig", "--name", deed.name())
                    : List.of("kubeconfig", "get", deed.name());
            var known = run(program, show, folder);
            if (known.exit == 0) {
                return Json.Obj.of("kubeconfig", Json.of(known.out));
            }
            var made = run(program, create, folder);
            var shown = made.exit == 0 ? run(program, show, folder) : made;
            return shown.exit == 0
                    ? Json.Obj.of("kubeconfig", Json.of(shown.out))
                    : Json.Obj.of(
                            "error",
                            Json.of(deed.program() + " ended with " + shown.exit),
                            "log",
                            Json.of(made.exit == 0 ? shown.err : made.out + made.err));
        } finally {
            delete(folder);
        }
    }

    private static Json removed(Path program, ProgramDeed.Remove deed) throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("towtank-cluster");
        try {
            var words = deed.program().equals("kind")
                    ? List.of("delete", "cluster", "--name", deed.name())
                    : List.of("cluster", "delete", deed.name());
            var said = run(program, words, folder);
            return said.exit == 0
                    ? Json.Obj.EMPTY
                    : Json.Obj.of(
                            "error",
                            Json.of(deed.program() + " could not delete the cluster " + deed.name()
                                    + ", and ended with " + said.exit));
        } finally {
            delete(folder);
        }
    }

    /// With a kubeconfig of its own: that of the user is not ours to change.
    private static Said run(Path program, List<String> words, Path folder) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(program.toString()));
        command.addAll(words);
        var out = folder.resolve("out");
        var err = folder.resolve("err");
        var builder = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("KUBECONFIG", folder.resolve("kubeconfig").toString());
        var process = builder.start();
        try {
            if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                return new Said(124, read(out), read(err) + "not within " + LONGEST.toMinutes() + " minutes\n");
            }
            return new Said(process.exitValue(), read(out), read(err));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static String read(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MOST_OUTPUT), StandardCharsets.UTF_8);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (var file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
