package dev.towtank.node.images;

import dev.towtank.node.images.registry.ImageReference;
import dev.towtank.node.images.registry.RegistryPlaces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/// The image map: built-in entries, and a user's own before them.
public final class MappedImages implements ImageMap {

    private final UserImages user;
    private final Map<String, String> ownRegistries;
    private final Path cache;
    private final Function<String, Optional<Path>> programs;

    private MappedImages(
            UserImages user, Map<String, String> ownRegistries, Path cache, Function<String, Optional<Path>> programs) {
        this.user = user;
        this.ownRegistries = Map.copyOf(ownRegistries);
        this.cache = cache;
        this.programs = programs;
    }

    /// @param userFile where a user's own entries are, if it exists; messages name it either way
    /// @param cache where roots out of archives are unpacked
    /// @param own programs that containers can have though this machine does not, by name
    /// @param brought the same, of which only the content is known; they are placed when they are first needed
    /// @throws IOException the file cannot be read or understood; the message says where it is wrong
    public static MappedImages load(
            Path userFile, Path cache, Map<String, Path> own, Function<String, Optional<byte[]>> brought)
            throws IOException {
        return load(
                userFile,
                cache,
                name -> program(name)
                        .or(() -> Optional.ofNullable(own.get(name)))
                        .or(() -> OwnPrograms.placed(name, cache, brought)));
    }

    static MappedImages load(Path userFile, Path cache, Function<String, Optional<Path>> programs) throws IOException {
        return new MappedImages(new UserImages(userFile), Map.of(), cache, programs);
    }

    /// With registries that are on this machine.
    ///
    /// @param own their addresses, by the names that they have in pods
    public MappedImages withRegistry(Map<String, String> own) {
        return new MappedImages(user, own, cache, programs);
    }

    /// @throws IOException the file cannot be understood
    static void check(Path file) throws IOException {
        var _ = UserImages.Said.read(Files.readString(file), file.toString());
    }

    /// Reads the entries that are built in, for a start that has something else to do meanwhile.
    public static void warmUp() {
        var _ = BuiltIn.SAID;
    }

    /// Read once, by whoever asks first.
    private static final class BuiltIn {
        static final UserImages.Said SAID = read();

        private static UserImages.Said read() {
            try (var in = MappedImages.class.getResourceAsStream("images.yaml")) {
                if (in == null) {
                    throw new IllegalStateException("images.yaml is not where it was built into");
                }
                return UserImages.Said.read(new String(in.readAllBytes(), StandardCharsets.UTF_8), "images.yaml");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static Optional<Path> program(String name) {
        for (var directory : List.of("/usr/local/bin", "/usr/bin", "/bin")) {
            var path = Path.of(directory, name);
            if (Files.isExecutable(path)) {
                return Optional.of(path);
            }
        }
        return Optional.empty();
    }

    @Override
    public Lookup find(String reference) {
        var parsed = ImageReference.parse(reference);
        if (parsed.isEmpty()) {
            return new Lookup.NotFound(
                    "InvalidImageName",
                    "Failed to apply default image tag \"%s\": couldn't parse image name \"%s\": invalid reference format"
                            .formatted(reference, reference));
        }
        return entry(parsed.get())
                .map(entry -> image(reference, entry))
                .orElseGet(() -> new Lookup.NotFound("ErrImagePull", unknown(reference, parsed.get())));
    }

    /// Why there is nothing for an image, told without unpacking anything; nothing where there is.
    public Optional<String> complaint(String reference) {
        var parsed = ImageReference.parse(reference);
        if (parsed.isEmpty()) {
            return Optional.of("\"%s\" is no name of an image".formatted(reference));
        }
        return entry(parsed.get()).isEmpty() ? Optional.of(unknown(reference, parsed.get())) : Optional.empty();
    }

    /// Where images really are, as the user says.
    RegistryPlaces places() {
        return user.now().places().withOwn(ownRegistries);
    }

    private Optional<ImageEntry> entry(ImageReference image) {
        var mirrors = mirrors();
        return Stream.concat(user.now().entries().stream(), BuiltIn.SAID.entries().stream())
                .filter(entry -> entry.matches().stream().anyMatch(pattern -> pattern.matches(image, mirrors)))
                .findFirst();
    }

    private List<String> mirrors() {
        return Stream.concat(user.now().mirrors().stream(), BuiltIn.SAID.mirrors().stream())
                .toList();
    }

    /// In one line: of a message in a status most programs show no more.
    private String unknown(String reference, ImageReference parsed) {
        var line = "- {match: %s, root: host, shell: dash}"
                .formatted(parsed.names(mirrors()).getLast());
        var place = Files.exists(user.file())
                ? "add this line to %s below \"images:\": %s"
                : "create %s with the line \"images:\" and below it this one: %s";
        return "image \"%s\" is not in the image map. To run it with this machine's own programs, %s%s"
                .formatted(
                        reference,
                        place.formatted(user.file(), line),
                        user.problem()
                                .map(it -> ". That file counts as it was before its last change: " + it)
                                .orElse(""));
    }

    private Lookup image(String reference, ImageEntry entry) {
        for (var need : entry.needs().entrySet()) {
            if (programs.apply(need.getKey()).isEmpty()) {
                return new Lookup.NotFound(
                        "ErrImagePull",
                        "image \"%s\" needs the program %s, which this machine does not have; install it with 'apt-get install %s'"
                                .formatted(reference, need.getKey(), need.getValue()));
            }
        }
        var tools = new TreeMap<String, Path>();
        entry.tools()
                .forEach((name, choices) -> choices.stream()
                        .flatMap(choice -> programs.apply(choice).stream())
                        .findFirst()
                        .ifPresent(path -> tools.put(name, path)));
        try {
            return new Lookup.Found(new Image(
                    reference,
                    root(entry),
                    entry.shell(),
                    entry.entrypoint(),
                    entry.command(),
                    entry.user(),
                    entry.workingDirectory(),
                    entry.environment(),
                    tools));
        } catch (IOException e) {
            return new Lookup.NotFound("ErrImagePull", "image \"%s\": %s".formatted(reference, e.getMessage()));
        }
    }

    private Image.Root root(ImageEntry entry) throws IOException {
        return switch (entry.root()) {
            case ImageEntry.Source.Host() -> new Image.Root.Host();
            case ImageEntry.Source.Directory(var path) -> {
                if (!Files.isDirectory(path)) {
                    throw new IOException("its root " + path + " is no directory");
                }
                yield new Image.Root.Directory(path.toAbsolutePath());
            }
            case ImageEntry.Source.Archive(var path) -> new Image.Root.Directory(Archives.unpacked(path, cache));
        };
    }
}
