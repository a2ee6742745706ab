package dev.towtank.cluster.pods;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Where builds put the images that they make, for the pods of this machine, and whom they ask for what these stand on.
public interface ImageShelf {

    /// Where no node runs anything.
    ImageShelf NONE = new ImageShelf() {
        @Override
        public Optional<String> bring(String image) {
            return Optional.empty();
        }

        @Override
        public void put(Map<String, Made> images) {}

        @Override
        public void remove(Predicate<String> isGone) {}

        @Override
        public Optional<Engine> engine() {
            return Optional.empty();
        }
    };

    /// An image made without an engine: the files of another, and its own settings.
    ///
    /// @param base whose files it has
    /// @param entrypoint that of the base where it is absent; so are the others
    record Made(
            String base,
            Map<String, String> environment,
            Optional<List<String>> entrypoint,
            Optional<List<String>> command,
            String user,
            String workingDirectory) {
        public Made {
            environment = Map.copyOf(environment);
            entrypoint = entrypoint.map(List::copyOf);
            command = command.map(List::copyOf);
        }

        /// The same as another image, by another name.
        public static Made like(String base) {
            return new Made(base, Map.of(), Optional.empty(), Optional.empty(), "", "");
        }
    }

    /// Sees to it that an image can be run on this machine, which may take its time.
    ///
    /// @return why it cannot; empty when it can
    Optional<String> bring(String image) throws InterruptedException;

    /// From now on pods get these, by the names that they are kept under.
    void put(Map<String, Made> images) throws IOException;

    void remove(Predicate<String> isGone) throws IOException;

    /// What really builds, where there is something.
    Optional<Engine> engine();

    /// A container engine of this machine.
    interface Engine {

        String name();

        /// @param context the directory that is sent to the engine
        /// @param dockerfile within it
        /// @param image the name of what is built
        record Order(Path context, Path dockerfile, String image, Map<String, String> arguments) {}

        /// Builds an image, or tells in the log why not.
        ///
        /// @return its id; empty when it could not be built
        Optional<String> build(Order order, Consumer<String> log) throws IOException;
    }
}
