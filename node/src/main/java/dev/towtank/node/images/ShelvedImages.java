package dev.towtank.node.images;

import dev.towtank.cluster.pods.ImageShelf;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/// Images that builds of this server made, before all others; they are in a file, so that pods find them before
/// anything
/// else has started.
public final class ShelvedImages implements ImageMap, ImageShelf {

    private static final int MOST = 2_000;
    private static final int LARGEST = 16 << 20;
    private static final int DEEPEST = 20;

    private final ImageMap others;
    private final Path file;
    private final Optional<Engine> engine;
    // Guarded by this object's monitor; the oldest first.
    private final Map<String, Made> made = new LinkedHashMap<>();

    /// @param file where they are kept; it need not exist
    /// @param engine what builds images of its own, which are then known to `others`
    public ShelvedImages(ImageMap others, Path file, Optional<Engine> engine) {
        this.others = others;
        this.file = file;
        this.engine = engine;
        read();
    }

    /// What cannot be read is made again when it is built again.
    private void read() {
        try {
            if (Files.isRegularFile(file) && Files.size(file) <= LARGEST) {
                JsonText.parseObject(Files.readAllBytes(file)).forEach((name, value) -> {
                    if (value instanceof Json.Obj entry) {
                        made.put(name, read(entry));
                    }
                });
            }
        } catch (IOException | JsonText.Malformed e) {
            made.clear();
        }
    }

    private static Made read(Json.Obj json) {
        return new Made(
                json.string("base"),
                json.stringMap("env"),
                words(json, "entrypoint"),
                words(json, "command"),
                json.string("user"),
                json.string("workingDirectory"));
    }

    private static Optional<List<String>> words(Json.Obj json, String field) {
        return json.has(field) ? Optional.of(json.array(field).strings()) : Optional.empty();
    }

    private static Json json(Made image) {
        var json = Json.Obj.builder()
                .put("base", image.base())
                .put("env", Json.Obj.ofStrings(image.environment()))
                .put("user", image.user())
                .put("workingDirectory", image.workingDirectory());
        image.entrypoint().ifPresent(words -> json.put("entrypoint", Json.Arr.ofStrings(words)));
        image.command().ifPresent(words -> json.put("command", Json.Arr.ofStrings(words)));
        return json.build();
    }

    @Override
    public synchronized void put(Map<String, Made> images) throws IOException {
        images.keySet().forEach(made::remove);
        made.putAll(images);
        var oldest = made.keySet().iterator();
        while (made.size() > MOST) {
            drop(oldest);
        }
        write();
    }

    private static void drop(Iterator<String> names) {
        names.next();
        names.remove();
    }

    @Override
    public synchronized void remove(Predicate<String> isGone) throws IOException {
        if (made.keySet().removeIf(isGone)) {
            write();
        }
    }

    private void write() throws IOException {
        var all = new LinkedHashMap<String, Json>();
        made.forEach((name, image) -> all.put(name, json(image)));
        Files.createDirectories(file.toAbsolutePath().getParent());
        var next = file.resolveSibling(file.getFileName() + ".next");
        Files.write(next, JsonText.bytes(Json.Obj.copyOf(all)));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public Optional<Engine> engine() {
        return engine;
    }

    @Override
    public Optional<String> bring(String image) throws InterruptedException {
        var found = find(new Wanted(image, "IfNotPresent", List::of));
        if (found instanceof Lookup.Pulling(var pull)) {
            var end = new CountDownLatch(1);
            pull.whenDone(end::countDown);
            end.await();
            found = pull.result().map(Pulled::found).orElse(found);
        }
        return found instanceof Lookup.NotFound(var _, var message) ? Optional.of(message) : Optional.empty();
    }

    /// With what the images are that it stands on, as far as they were made here, too.
    private synchronized Optional<Made> made(String reference) {
        var found = entry(reference);
        for (int i = 0; found.isPresent() && i < DEEPEST; i++) {
            var below = entry(found.get().base());
            if (below.isEmpty()) {
                return found;
            }
            found = Optional.of(over(found.get(), below.get()));
        }
        return found;
    }

    private Optional<Made> entry(String reference) {
        return Optional.ofNullable(made.get(reference)).or(() -> Optional.ofNullable(made.get(withTag(reference))));
    }

    private static Made over(Made top, Made below) {
        var environment = new HashMap<>(below.environment());
        environment.putAll(top.environment());
        var command = top.command().isPresent() || top.entrypoint().isPresent() ? top.command() : below.command();
        return new Made(
                below.base(),
                environment,
                top.entrypoint().or(below::entrypoint),
                command,
                top.user().isEmpty() ? below.user() : top.user(),
                top.workingDirectory().isEmpty() ? below.workingDirectory() : top.workingDirectory());
    }

    private static String withTag(String reference) {
        boolean isBare = !reference.contains("@") && reference.indexOf(':', reference.lastIndexOf('/') + 1) < 0;
        return isBare ? reference + ":latest" : reference;
    }

    @Override
    public Lookup find(String reference) {
        return made(reference)
                .map(image -> dressed(reference, image, others.find(image.base())))
                .orElseGet(() -> others.find(reference));
    }

    @Override
    public Lookup find(String reference, String pullPolicy) {
        return made(reference)
                .map(image -> dressed(reference, image, others.find(image.base(), usual(pullPolicy))))
                .orElseGet(() -> others.find(reference, pullPolicy));
    }

    @Override
    public Lookup find(Wanted wanted) {
        return made(wanted.reference())
                .map(image -> dressed(
                        wanted.reference(), image, others.find(wanted.of(image.base(), usual(wanted.pullPolicy())))))
                .orElseGet(() -> others.find(wanted));
    }

    /// It is the image that may be new, not what it stands on.
    private static String usual(String pullPolicy) {
        return pullPolicy.equals("Always") ? "IfNotPresent" : pullPolicy;
    }

    private static Lookup dressed(String reference, Made made, Lookup base) {
        return switch (base) {
            case Lookup.Found(var image) -> new Lookup.Found(image(reference, made, image));
            case Lookup.NotFound notFound -> notFound;
            case Lookup.Pulling(var pull) -> new Lookup.Pulling(new DressedPull(reference, made, pull));
        };
    }

    private record DressedPull(String reference, Made made, Pull pull) implements Pull {
        @Override
        public long come() {
            return pull.come();
        }

        @Override
        public Optional<Pulled> result() {
            return pull.result().map(end -> new Pulled(dressed(reference, made, end.found()), end.took(), end.bytes()));
        }

        @Override
        public void whenDone(Runnable then) {
            pull.whenDone(then);
        }
    }

    private static Image image(String reference, Made made, Image base) {
        var environment = new HashMap<>(base.environment());
        environment.putAll(made.environment());
        // As Docker has it: who sets an entrypoint starts without the base's command.
        var command = made.command().orElse(made.entrypoint().isPresent() ? List.of() : base.command());
        return new Image(
                reference,
                base.root(),
                base.shell(),
                made.entrypoint().orElse(base.entrypoint()),
                command,
                made.user().isEmpty() ? base.user() : made.user(),
                made.workingDirectory().isEmpty() ? base.workingDirectory() : made.workingDirectory(),
                environment,
                base.tools(),
                base.stopSignal());
    }
}
