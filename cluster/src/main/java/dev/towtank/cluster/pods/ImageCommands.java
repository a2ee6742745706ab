package dev.towtank.cluster.pods;

import java.util.List;
import java.util.Optional;

/// What images say is to be run in them: asked for steps that have neither command nor script.
@FunctionalInterface
public interface ImageCommands {

    ImageCommands UNKNOWN = _ -> Optional.empty();

    /// Empty when the image is not known.
    Optional<ImageCommand> of(String image);

    /// @param entrypoint may be empty
    /// @param defaults the arguments, or the whole command where there is no entrypoint
    record ImageCommand(List<String> entrypoint, List<String> defaults) {
        public ImageCommand {
            entrypoint = List.copyOf(entrypoint);
            defaults = List.copyOf(defaults);
        }

        /// The words before a step's own arguments.
        public List<String> words(boolean hasArguments) {
            if (entrypoint.isEmpty()) {
                return defaults;
            }
            if (hasArguments) {
                return entrypoint;
            }
            var all = new java.util.ArrayList<>(entrypoint);
            all.addAll(defaults);
            return all;
        }
    }
}
