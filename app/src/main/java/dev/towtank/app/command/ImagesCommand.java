package dev.towtank.app.command;

import dev.towtank.app.engine.DataDirectory;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.engine.LocalNode;
import dev.towtank.app.engine.RealImagesSite;
import dev.towtank.app.run.images.ImageTable;
import dev.towtank.app.shell.DataOption;
import dev.towtank.app.shell.Screen;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.node.images.ImageMode;
import dev.towtank.node.images.RealImages;
import dev.towtank.node.images.registry.ImageReference;
import dev.towtank.node.images.store.ImageImport;
import dev.towtank.node.images.store.ImageStore;
import dev.towtank.node.images.store.StoredImage;
import dev.towtank.node.images.store.UnpackLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Shows, brings and takes away the images of registries that are on this machine.
@Command(
        name = "images",
        description = {
            "Lists, pulls, imports and removes images of registries that are on this machine.",
            "For example: 'images pull alpine:3.20', 'images import saved.tar', 'images prune'."
        },
        sortOptions = false)
final class ImagesCommand implements Callable<Integer> {

    enum Action {
        LIST,
        PULL,
        IMPORT,
        RM,
        PRUNE
    }

    private final Surroundings surroundings;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ACTION",
            defaultValue = "list",
            description = {
                "list, pull IMAGE..., import FILE|DIR... (what 'docker save' wrote, or an OCI layout), rm IMAGE..., or",
                "prune (all that no image needs; default: ${DEFAULT-VALUE})."
            })
    private Action action = Action.LIST;

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "IMAGE|FILE", description = "What it is about.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--name",
            paramLabel = "IMAGE",
            description = "With import: the name of an image that the file holds without a whole one.")
    private @Nullable String name;

    @Mixin
    private final DataOption data = new DataOption();

    ImagesCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        var directory = data.resolve(surroundings);
        directory.make();
        if (names.isEmpty() && List.of(Action.PULL, Action.IMPORT, Action.RM).contains(action)) {
            throw usage("'" + action.name().toLowerCase(Locale.ROOT) + "' wants to know which");
        }
        try (var store = ImageStore.open(directory.imageStore(), UnpackLimits.USUAL)) {
            switch (action) {
                case LIST -> list(store);
                case PULL -> pull(directory);
                case IMPORT -> bring(store, directory);
                case RM -> remove(store);
                case PRUNE -> prune(store);
            }
            return ExitCode.OK;
        } catch (IOException e) {
            throw new Failure(String.valueOf(e.getMessage()), e);
        }
    }

    private ParameterException usage(String problem) {
        return new ParameterException(new CommandLine(spec), problem);
    }

    private void list(ImageStore store) throws IOException {
        var all = store.list();
        if (all.isEmpty()) {
            surroundings.out().println("No images are here. 'images pull IMAGE' brings one.");
            return;
        }
        int width = all.stream().mapToInt(each -> each.name().length()).max().orElse(0);
        var form = "%-" + Math.max(5, width) + "s  %-19s  %9s  %s";
        surroundings.out().println(form.formatted("IMAGE", "DIGEST", "SIZE", "SINCE"));
        for (var image : all) {
            surroundings
                    .out()
                    .println(form.formatted(
                            image.name(),
                            image.digest().toString().substring(0, 19),
                            size(image.size()),
                            image.at().truncatedTo(ChronoUnit.SECONDS)));
        }
    }

    private static String size(long bytes) {
        return ImageTable.size(bytes);
    }

    private ImageReference reference(String text) {
        return ImageReference.parse(text).orElseThrow(() -> usage("'" + text + "' is no name of an image"));
    }

    private void pull(DataDirectory directory) throws IOException {
        var site = RealImagesSite.of(directory, ImageMode.REAL, surroundings.environment());
        var map = LocalNode.mapped(directory.images(), directory.node());
        var store = ImageStore.use(directory.imageStore(), UnpackLimits.USUAL);
        try (var images = new RealImages(store, map, site.mode(), site::passwords, surroundings.clock())) {
            for (var text : names) {
                var image = reference(text);
                surroundings.out().println("Pulling " + image.canonical() + " ...");
                surroundings.out().flush();
                var pulled = pulled(images, image, site);
                surroundings
                        .out()
                        .println(image.canonical() + " is here: " + pulled.digest() + ", " + size(pulled.size()) + ".");
            }
        }
    }

    private StoredImage pulled(RealImages images, ImageReference image, RealImagesSite site) {
        try {
            return images.pull(image, site.passwords(image.registry()), progress());
        } catch (IOException e) {
            throw new Failure(
                    "Cannot pull " + image.canonical() + ": " + e.getMessage()
                            + ". Check its name, and the way to its registry.",
                    e);
        }
    }

    /// How much has come, on one line of a terminal that is written over; nothing elsewhere.
    private LongConsumer progress() {
        if (!Screen.isTerminal(surroundings)) {
            return _ -> {};
        }
        var bytes = new AtomicLong();
        return more -> {
            long before = bytes.getAndAdd(more);
            if (before >> 20 != (before + more) >> 20) {
                surroundings.out().print("\r" + size(before + more) + " ");
                surroundings.out().flush();
            }
        };
    }

    private void bring(ImageStore store, DataDirectory directory) throws IOException {
        var importing = new ImageImport(store, directory.imageStore().resolve("partial"), UnpackLimits.USUAL);
        for (var text : names) {
            if (!Files.exists(Path.of(text))) {
                throw new Failure("There is no " + text + ".");
            }
            for (var image : importing.run(
                    Path.of(text), this::imported, surroundings.clock().instant())) {
                surroundings.out().println(image.name() + " is here: " + image.digest() + ".");
            }
        }
    }

    /// A layout often knows a tag alone.
    private String imported(String found) {
        if (name != null) {
            return reference(name).canonical();
        }
        var isWhole = found.contains("/") || found.contains(":");
        var whole = ImageReference.parse(found).filter(_ -> isWhole);
        return whole.orElseThrow(() -> usage(
                        "the file does not say the whole name of its image ('" + found + "'): give it with --name"))
                .canonical();
    }

    private void remove(ImageStore store) throws IOException {
        for (var text : names) {
            if (!store.remove(reference(text).canonical())) {
                throw new Failure("There is no image " + reference(text).canonical() + ". 'images list' shows all.");
            }
            surroundings.out().println(reference(text).canonical() + " has no name here any more.");
        }
        surroundings.out().println("'images prune' frees its space.");
    }

    private void prune(ImageStore store) throws IOException {
        var layers = store.prune()
                .orElseThrow(() -> new Failure("A server or a run uses the images just now. Stop it, and prune then: "
                        + surroundings.programName() + " down"));
        surroundings.out().println(layers + (layers == 1 ? " layer is gone." : " layers are gone."));
    }
}
