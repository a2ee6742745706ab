package dev.towtank.node.sandbox.machine;

import dev.towtank.node.images.store.ImageStore;
import dev.towtank.node.linux.FileTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The two small programs of this machine that whoever enters a container must find inside of it, with the libraries
/// that they need: an image need not have them, nor a loader that could start them.
public final class CarriedPrograms {

    public static final String PLACE = "/dev/towtank";
    private static final String LOADER = "ld.so";
    private static final List<String> PROGRAMS = List.of("setpriv", "setsid");
    private static final List<Path> LOADERS =
            List.of(Path.of("/lib64/ld-linux-x86-64.so.2"), Path.of("/lib/ld-linux-aarch64.so.1"));
    private static final Pattern LIBRARY = Pattern.compile("\\s*([^ /]+) => (/\\S+) \\(0x[0-9a-f]+\\)");

    private CarriedPrograms() {}

    /// A command that runs one of them in a container.
    public static List<String> line(String program, String... arguments) {
        var line = new ArrayList<>(List.of(PLACE + "/" + LOADER, "--library-path", PLACE, PLACE + "/" + program));
        line.addAll(List.of(arguments));
        return line;
    }

    /// Whether the container has them. It cannot write where they would be.
    public static boolean areIn(Path process) {
        return Files.exists(process.resolve("root" + PLACE + "/" + LOADER));
    }

    /// The directory with them, which is made when the first container needs it. They are copies: a container must not
    /// hold the machine's own.
    public static Path in(Path kept) throws IOException {
        var place = kept.resolve("carried");
        if (Files.isDirectory(place)) {
            return place;
        }
        var draft = Files.createTempDirectory(kept, "carried");
        try {
            var loader = LOADERS.stream()
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow(() -> new IOException("this machine has no loader of the GNU C library"));
            copy(loader, draft.resolve(LOADER));
            for (var name : PROGRAMS) {
                var program = MachineView.program(name)
                        .orElseThrow(() -> new IOException("the program " + name + " is missing"));
                copy(program, draft.resolve(name));
                libraries(loader, program, draft);
            }
            Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwxr-xr-x"));
            ImageStore.move(draft, place);
            return place;
        } catch (IOException e) {
            FileTree.delete(draft);
            throw e;
        }
    }

    private static void libraries(Path loader, Path program, Path draft) throws IOException {
        var asking = new ProcessBuilder(loader.toString(), "--list", program.toString());
        asking.environment().clear();
        var said = new String(asking.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        for (var line : said.lines().toList()) {
            var library = LIBRARY.matcher(line);
            if (library.matches()) {
                copy(Path.of(library.group(2)), draft.resolve(library.group(1)));
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("r-xr-xr-x"));
    }
}
