package dev.towtank.node.sandbox;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.node.images.Image;
import dev.towtank.node.images.ImageConfig;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.images.Outlook;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// The images of a container engine, pulled where they are missing.
final class EngineImages implements ImageMap {

    /// A name that looks like an option would be one.
    private static final Pattern REFERENCE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@-]{0,511}");

    private final ContainerEngine engine;

    EngineImages(ContainerEngine engine) {
        this.engine = engine;
    }

    @Override
    public Lookup find(String reference) {
        return find(reference, "IfNotPresent");
    }

    @Override
    public Lookup find(String reference, String pullPolicy) {
        if (!REFERENCE.matcher(reference).matches()) {
            return new Lookup.NotFound(
                    "InvalidImageName",
                    "Failed to apply default image tag \"%s\": couldn't parse image name \"%s\": invalid reference format"
                            .formatted(reference, reference));
        }
        try {
            var present = pullPolicy.equals("Always") ? Optional.<Image>empty() : inspected(reference);
            if (present.isPresent()) {
                return new Lookup.Found(present.get());
            }
            if (pullPolicy.equals("Never")) {
                return missing("it is not on this machine");
            }
            var pulled = engine.run("pull", "--quiet", reference);
            return pulled.code() != 0
                    ? missing(pulled.problem())
                    : inspected(reference)
                            .<Lookup>map(Lookup.Found::new)
                            .orElseGet(() -> missing("it was pulled and is not there"));
        } catch (IOException | JsonText.Malformed e) {
            return missing(String.valueOf(e.getMessage()));
        }
    }

    /// What it has not, it may have a way to.
    @Override
    public Outlook outlook(Wanted wanted) {
        return find(wanted.reference(), "Never") instanceof Lookup.NotFound(var reason, var _)
                        && reason.equals("ErrImagePull")
                        && !wanted.pullPolicy().equals("Never")
                ? new Outlook.Comes(OptionalLong.empty())
                : Outlook.of(find(wanted.reference(), "Never"));
    }

    private Lookup missing(String why) {
        return new Lookup.NotFound("ErrImagePull", engine.name() + ": " + why);
    }

    private Optional<Image> inspected(String reference) throws IOException {
        var said = engine.run("image", "inspect", reference);
        if (said.code() != 0) {
            return Optional.empty();
        }
        var found = JsonText.parse(said.out());
        return found instanceof Json.Arr all && all.size() > 0 && all.get(0) instanceof Json.Obj first
                ? Optional.of(image(reference, first.object("Config")))
                : Optional.empty();
    }

    static Image image(String reference, Json.Obj config) {
        return new Image(
                reference,
                new Image.Root.Engine(),
                Image.Shell.OWN,
                ImageConfig.texts(config, "Entrypoint"),
                ImageConfig.texts(config, "Cmd"),
                config.string("User"),
                config.string("WorkingDir"),
                ImageConfig.variables(ImageConfig.texts(config, "Env")),
                Map.of());
    }
}
