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
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongConsumer;

/// Images of registries, in the store of this machine, beside the stand-ins of the image map.
public final class RealImages implements ImageMap, AutoCloseable {

    private final ImageStore store;
    private final MappedImages map;
    private final ImageMode mode;
    private final RegistryClients registries;
    private final Function<String, List<Json.Obj>> ownLogins;
    private final InstantSource clock;
    private final ImagePulls pulls;
    /// Who was given what by a registry of our own.
    private final Set<String> allowed = Collections.newSetFromMap(new ConcurrentHashMap<>());

    /// @param store is closed with this
    /// @param ownLogins of the user who runs the server, by registry, for images without a password
    public RealImages(
            ImageStore store,
            MappedImages map,
            ImageMode mode,
            Function<String, List<Json.Obj>> ownLogins,
            InstantSource clock) {
        this.store = store;
        this.map = map;
        this.mode = mode;
        this.registries = new RegistryClients(map::places);
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
            touch(parsed.get());
            return new Lookup.Found(here.get());
        }
        if (here.isEmpty() && mode == ImageMode.AUTO && map.find(wanted.reference()) instanceof Lookup.Found standIn) {
            return standIn;
        }
        if (wanted.pullPolicy().equals("Never")) {
            return new Lookup.NotFound(
                    "ErrImageNeverPull",
                    "Container image \"" + wanted.reference() + "\" is not present with pull policy of Never");
        }
        return new Lookup.Pulling(pull(wanted, parsed.get()));
    }

    @Override
    public Outlook outlook(Wanted wanted) {
        var parsed = ImageReference.parse(wanted.reference());
        var known = Outlook.of(find(wanted.reference()));
        if (parsed.isEmpty()
                || mode == ImageMode.STAND_IN
                || wanted.pullPolicy().equals("Never")
                || !(known instanceof Outlook.Missing)) {
            return known;
        }
        try {
            var logins = new ArrayList<>(wanted.logins().get());
            logins.addAll(ownLogins.apply(parsed.get().registry()));
            var session = registries.session(parsed.get(), logins);
            return new Outlook.Comes(
                    OptionalLong.of(ImageStore.size(parsed.get().version(), session)));
        } catch (IOException | UncheckedIOException e) {
            return new Outlook.Missing(failure(wanted.reference(), parsed.get(), e), mode == ImageMode.AUTO);
        }
    }

    /// What a file brought has no registry to be asked, whatever its tag.
    private boolean mustAsk(Wanted wanted, ImageReference image) {
        if (map.places().own(image).isPresent() && !allowed.contains(permit(wanted, image))) {
            return true; // that another account may pull it says nothing
        }
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

    private static String permit(Wanted wanted, ImageReference image) {
        return wanted.account() + " " + image.canonical();
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
        var own = map.places().own(image);
        var key = image.canonical()
                + (own.isPresent() ? " " + wanted.account() : "")
                + (logins.isEmpty() ? "" : " " + Digest.of(logins.toString().getBytes(StandardCharsets.UTF_8)));
        own.ifPresent(host -> wanted.token().get().ifPresent(token -> logins.addFirst(login(host, token))));
        logins.addAll(ownLogins.apply(image.registry()));
        return pulls.of(key, progress -> {
            var end = pulled(wanted.reference(), image, logins, progress);
            if (own.isPresent() && end.found() instanceof Lookup.Found) {
                allowed.add(permit(wanted, image));
            }
            return end;
        });
    }

    private static Json.Obj login(String host, String token) {
        return Json.Obj.of(host, Json.Obj.of("username", Json.of("serviceaccount"), "password", Json.of(token)));
    }

    private ImagePulls.End pulled(
            String reference, ImageReference image, List<Json.Obj> logins, LongConsumer progress) {
        try {
            var stored = pull(image, logins, progress);
            return new ImagePulls.End(new Lookup.Found(ImageConfig.image(reference, image, stored)), stored.size());
        } catch (IOException | UncheckedIOException e) {
            return new ImagePulls.End(new Lookup.NotFound("ErrImagePull", failure(reference, image, e)), 0);
        }
    }

    private String failure(String reference, ImageReference image, Exception problem) {
        var why = "failed to pull and unpack image \"%s\": %s".formatted(image.canonical(), problem.getMessage());
        return mode == ImageMode.AUTO && map.find(reference) instanceof Lookup.NotFound(var _, var hint)
                ? why + "; and " + hint
                : why;
    }

    private void touch(ImageReference image) {
        try {
            store.touch(image.canonical(), clock.instant());
        } catch (IOException e) {
            // it only goes a little earlier
        }
    }

    /// Takes away what nobody has used for long, and more where the disk is full.
    ///
    /// @param used the digests of images that containers run on
    /// @return the names that are gone
    public List<String> collect(Set<String> used) throws IOException {
        var digests = new HashSet<Digest>();
        for (var text : used) {
            digests.add(Digest.parse(text));
        }
        return store.collect(digests, ImageStore.Upkeep.USUAL, clock.instant());
    }

    /// Asks its registry, and brings what is missing.
    ///
    /// @param progress is told how many more bytes have come, on any thread
    public StoredImage pull(ImageReference image, List<Json.Obj> logins, LongConsumer progress) throws IOException {
        var session = new ToldSource(registries.session(image, logins), progress);
        return store.add(new ImageStore.Draft(image.canonical(), false), image.version(), session, clock.instant());
    }

    @Override
    public void close() {
        store.close();
        registries.close();
    }
}
