package dev.towtank.node.images;

import dev.towtank.model.Json;
import dev.towtank.node.images.registry.ImageReference;
import dev.towtank.node.images.registry.RegistryClients;
import dev.towtank.node.images.store.Digest;
import dev.towtank.node.images.store.ImageStore;
import dev.towtank.node.images.store.StoredImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Images of registries, in the store of this machine, beside the stand-ins of the image map.
public final class RealImages implements ImageMap, AutoCloseable {

    private final ImageStore store;
    private final MappedImages map;
    private final ImageMode mode;
    private final RegistryClients registries;
    private final Supplier<List<Json.Obj>> ownLogins;
    private final InstantSource clock;
    private final ImagePulls pulls;

    /// @param store is closed with this
    /// @param ownLogins of the user who runs the server, for images that come with no password of their own
    public RealImages(
            ImageStore store,
            MappedImages map,
            ImageMode mode,
            Supplier<List<Json.Obj>> ownLogins,
            InstantSource clock) {
        this.store = store;
        this.map = map;
        this.mode = mode;
        this.registries = new RegistryClients(map.places());
        this.ownLogins = ownLogins;
        this.clock = clock;
        this.pulls = new ImagePulls(clock);
    }

    @Override
    public Lookup find(String reference) {
        var parsed = ImageReference.parse(reference);
        if (parsed.isEmpty() || mode == ImageMode.STAND_IN) {
            return map.find(reference);
        }
        return here(reference, parsed.get()).<Lookup>map(Lookup.Found::new).orElseGet(() -> otherwise(reference));
    }

    /// What there is of an image that the store does not have.
    private Lookup otherwise(String reference) {
        return mode == ImageMode.AUTO
                ? map.find(reference)
                : new Lookup.NotFound("ErrImagePull", "image \"%s\" is not on this machine".formatted(reference));
    }

    @Override
    public Lookup find(Wanted wanted) {
        var parsed = ImageReference.parse(wanted.reference());
        if (parsed.isEmpty() || mode == ImageMode.STAND_IN) {
            return map.find(wanted.reference());
        }
        var here = here(wanted.reference(), parsed.get());
        if (here.isPresent() && !mustAsk(wanted, parsed.get())) {
            return new Lookup.Found(here.get());
        }
        if (here.isEmpty() && mode == ImageMode.AUTO && !map.isUnknown(parsed.get())) {
            return map.find(wanted.reference());
        }
        if (wanted.pullPolicy().equals("Never")) {
            return new Lookup.NotFound(
                    "ErrImageNeverPull",
                    "Container image \"" + wanted.reference() + "\" is not present with pull policy of Never");
        }
        return new Lookup.Pulling(pull(wanted, parsed.get()));
    }

    /// What a file brought has no registry to be asked, whatever its tag.
    private boolean mustAsk(Wanted wanted, ImageReference image) {
        try {
            return wanted.pullPolicy().equals("Always")
                    && image.digest().isEmpty()
                    && store.named(image.canonical())
                            .filter(ImageStore.Named::imported)
                            .isEmpty();
        } catch (IOException e) {
            return true;
        }
    }

    private Optional<Image> here(String reference, ImageReference image) {
        try {
            return found(image).map(stored -> ImageConfig.image(reference, image, stored));
        } catch (IOException e) {
            return Optional.empty(); // it will come again
        }
    }

    private Optional<StoredImage> found(ImageReference image) throws IOException {
        var named = store.find(image.canonical());
        return named.isPresent() || image.digest().isEmpty() ? named : store.find(Digest.parse(image.digest()));
    }

    private Pull pull(Wanted wanted, ImageReference image) {
        var logins = new ArrayList<>(wanted.logins().get());
        // Whoever may pull it by a password of his own does not do so for others.
        var key = image.canonical()
                + (logins.isEmpty() ? "" : " " + Digest.of(logins.toString().getBytes(StandardCharsets.UTF_8)));
        logins.addAll(ownLogins.get());
        return pulls.of(key, () -> pulled(wanted.reference(), image, logins));
    }

    private ImagePulls.End pulled(String reference, ImageReference image, List<Json.Obj> logins) {
        try {
            var stored = pull(image, logins);
            return new ImagePulls.End(new Lookup.Found(ImageConfig.image(reference, image, stored)), stored.size());
        } catch (IOException | UncheckedIOException e) {
            var why = "failed to pull and unpack image \"%s\": %s".formatted(image.canonical(), e.getMessage());
            var hint = mode == ImageMode.AUTO ? ". " + map.unknown(reference, image) : "";
            return new ImagePulls.End(new Lookup.NotFound("ErrImagePull", why + hint), 0);
        }
    }

    /// Asks its registry, and brings what is missing.
    public StoredImage pull(ImageReference image, List<Json.Obj> logins) throws IOException {
        var session = registries.session(image, logins);
        return store.add(new ImageStore.Draft(image.canonical(), false), image.version(), session, clock.instant());
    }

    @Override
    public void close() {
        store.close();
        registries.close();
    }
}
