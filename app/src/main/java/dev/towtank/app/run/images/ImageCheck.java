package dev.towtank.app.run.images;

import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.run.input.RunPlan;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.images.ImageMapFile;
import dev.towtank.node.images.Outlook;
import dev.towtank.node.images.registry.ImageReference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/// Looks at all images of a run at once, before anything starts.
public final class ImageCheck {

    private static final int MOST_ASKED_AT_ONCE = 64;

    /// The images that the run would have, opened for a look.
    public interface Opened extends AutoCloseable {
        ImageMap map();

        @Override
        void close();
    }

    /// Opens them.
    @FunctionalInterface
    public interface Opening {
        Opened open() throws IOException;
    }

    private final Opening opening;
    private final Optional<Path> added;

    /// @param added the user's image map, if what is missing is to be added to it
    public ImageCheck(Opening opening, Optional<Path> added) {
        this.opening = opening;
        this.added = added;
    }

    /// @param table to be told before the run
    /// @param mapped images for which a stand-in was noted down just now, and where
    public record Look(ImageTable table, List<String> mapped) {
        /// @throws BadInput an image is missing that the run needs
        public void require() {
            var problems = new ArrayList<>(table.problems());
            if (!problems.isEmpty()) {
                problems.add("nothing was started"
                        + (table.mayBeMapped()
                                ? "; --map-missing writes such lines itself"
                                : "; check the name of the image, and the way to its registry"));
                throw new BadInput(problems);
            }
        }
    }

    public Look look(RunPlan plan) throws IOException, InterruptedException {
        var uses = RunImages.of(plan);
        var table = table(uses, plan);
        var mapped = mapped(table);
        if (!mapped.isEmpty()) {
            ImageMapFile.add(added.orElseThrow(), mapped);
            table = table(uses, plan);
        }
        return new Look(
                table,
                mapped.stream()
                        .map(image -> image.canonical() + " is in " + added.orElseThrow() + " now")
                        .toList());
    }

    private List<ImageReference> mapped(ImageTable table) {
        return added.isEmpty()
                ? List.of()
                : table.outlooks().entrySet().stream()
                        .filter(each -> each.getValue() instanceof Outlook.Missing missing && missing.mayBeMapped())
                        .flatMap(each -> ImageReference.parse(each.getKey()).stream())
                        .toList();
    }

    private ImageTable table(List<ImageUse> uses, RunPlan plan) throws IOException, InterruptedException {
        if (uses.isEmpty()) {
            return new ImageTable(uses, Map.of());
        }
        var wanted = new HashMap<String, ImageMap.Wanted>();
        uses.stream()
                .filter(use -> !use.isOpen())
                .limit(MOST_ASKED_AT_ONCE)
                .forEach(use -> wanted.putIfAbsent(
                        use.image(), new ImageMap.Wanted(use.image(), use.pullPolicy(), () -> logins(plan))));
        try (var opened = opening.open();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var outlooks = new HashMap<String, Outlook>();
            var all = List.copyOf(wanted.values());
            var asked = all.stream()
                    .<Callable<Outlook>>map(each -> () -> opened.map().outlook(each))
                    .toList();
            var answers = threads.invokeAll(asked);
            for (int i = 0; i < all.size(); i++) {
                outlooks.put(all.get(i).reference(), answers.get(i).get());
            }
            return new ImageTable(uses, outlooks);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /// What the files of the run bring for registries.
    private static List<Json.Obj> logins(RunPlan plan) {
        var logins = new ArrayList<Json.Obj>();
        for (var document : plan.objects()) {
            if (document.kind().equals("Secret")) {
                text(document.json(), ".dockerconfigjson")
                        .map(json -> json.object("auths"))
                        .ifPresent(logins::add);
                text(document.json(), ".dockercfg").ifPresent(logins::add);
            }
        }
        return logins;
    }

    private static Optional<Json.Obj> text(Json.Obj secret, String key) {
        var plain = secret.stringMap("stringData").get(key);
        var packed = secret.stringMap("data").get(key);
        try {
            if (plain != null) {
                return Optional.of(JsonText.parseObject(plain.getBytes(StandardCharsets.UTF_8)));
            }
            return packed == null
                    ? Optional.empty()
                    : Optional.of(JsonText.parseObject(Base64.getMimeDecoder().decode(packed)));
        } catch (JsonText.Malformed | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
