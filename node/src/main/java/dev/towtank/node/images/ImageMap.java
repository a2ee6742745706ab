package dev.towtank.node.images;

import dev.towtank.model.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Finds what stands for an image.
public interface ImageMap {

    /// What is here, without asking anybody for it.
    Lookup find(String reference);

    /// @param pullPolicy `Always`, `IfNotPresent` or `Never`, for those who pull
    default Lookup find(String reference, String pullPolicy) {
        return find(reference);
    }

    /// For a container that is to be started; it may have to wait.
    default Lookup find(Wanted wanted) {
        return find(wanted.reference(), wanted.pullPolicy());
    }

    /// What that container would be started on. Nothing is pulled for the answer.
    default Outlook outlook(Wanted wanted) {
        return Outlook.of(find(wanted.reference(), "Never"));
    }

    /// @param logins names and passwords by registry, as in a `.dockerconfigjson`; read when somebody is asked
    /// @param account who pulls; those of one account share what they pull from a registry of our own
    /// @param token of that account, for such a registry
    record Wanted(
            String reference,
            String pullPolicy,
            Supplier<List<Json.Obj>> logins,
            String account,
            Supplier<Optional<String>> token) {

        public Wanted(String reference, String pullPolicy, Supplier<List<Json.Obj>> logins) {
            this(reference, pullPolicy, logins, "", Optional::empty);
        }

        /// Another image for the same container.
        Wanted of(String other, String policy) {
            return new Wanted(other, policy, logins, account, token);
        }

        @Override
        public String toString() {
            return "Wanted[" + reference + "]"; // the rest is secret
        }
    }

    /// The answer for one image.
    sealed interface Lookup {
        record Found(Image image) implements Lookup {}

        /// @param reason for the container's status: `ErrImagePull`, `ErrImageNeverPull` or `InvalidImageName`
        record NotFound(String reason, String message) implements Lookup {}

        /// It comes.
        record Pulling(Pull pull) implements Lookup {}
    }

    /// An image on its way, for all who wait for it.
    interface Pull {
        /// Empty until it has come, or has failed.
        Optional<Pulled> result();

        /// How many bytes have come so far.
        default long come() {
            return 0;
        }

        /// @param then is told of the end once, perhaps at once and on any thread
        void whenDone(Runnable then);
    }

    /// @param found never that it is on its way
    /// @param bytes its layers, as they were packed
    record Pulled(Lookup found, Duration took, long bytes) {}
}
