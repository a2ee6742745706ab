package dev.towtank.controllers.secrets;

import dev.towtank.controllers.secrets.reading.Reading;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/// All that is to be known about an ExternalSecret.
///
/// @param isOurs whether no store of it is left to another installation
/// @param isWatched whether a change of the source is seen at once
/// @param left Secrets that it owns under a name that its target no longer has
/// @param templates what `templateFrom` names, as `ConfigMap name` and `Secret name`
record ExternalSecretFacts(
        boolean isOurs,
        boolean isWatched,
        Reading reading,
        Optional<Resource> target,
        List<Resource> left,
        Map<String, NavigableMap<String, byte[]>> templates) {

    ExternalSecretFacts {
        left = List.copyOf(left);
        templates = Map.copyOf(templates);
    }

    /// Values are nobody's business.
    @Override
    public String toString() {
        return "facts, with " + reading;
    }
}
