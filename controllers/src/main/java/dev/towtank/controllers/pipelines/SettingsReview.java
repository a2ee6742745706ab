package dev.towtank.controllers.pipelines;

import dev.towtank.controllers.pipelines.api.settings.Defaults;
import dev.towtank.controllers.pipelines.api.settings.EventSettings;
import dev.towtank.controllers.pipelines.api.settings.FeatureFlags;
import dev.towtank.controllers.pipelines.api.settings.ResolverFlags;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.KindBehaviour;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// Refuses ConfigMaps of settings with values that make no sense, so that no run ever meets one.
final class SettingsReview implements KindBehaviour {

    private static final String WEBHOOK = "config.webhook.pipeline.tekton.dev";
    private static final String EXAMPLE = "_example";
    private static final String CHECKSUM = "knative.dev/example-checksum";

    /// What reads each of them, by namespace and name. Tekton itself looks at the first two only.
    private static final Map<String, Consumer<Map<String, String>>> READERS = Map.of(
            Settings.NAMESPACE + "/" + FeatureFlags.CONFIG_MAP, FeatureFlags::read,
            Settings.NAMESPACE + "/" + Defaults.CONFIG_MAP, Defaults::read,
            Settings.NAMESPACE + "/" + EventSettings.CONFIG_MAP, EventSettings::read,
            ResolverFlags.NAMESPACE + "/" + ResolverFlags.CONFIG_MAP, ResolverFlags::read);

    @Override
    public String group() {
        return "";
    }

    @Override
    public String kind() {
        return "ConfigMap";
    }

    @Override
    public Optional<StatusError> refusal(Json.Obj object, Json.@Nullable Obj old) {
        var reader = READERS.get(object.string("metadata", "namespace") + "/" + object.string("metadata", "name"));
        if (reader == null) {
            return Optional.empty();
        }
        var data = object.stringMap("data");
        var checksum = object.string("metadata", "annotations", CHECKSUM);
        if (data.containsKey(EXAMPLE)
                && !checksum.isEmpty()
                && !checksum.equals(checksum(data.getOrDefault(EXAMPLE, "")))) {
            return refused(
                    "the update modifies a key in \"_example\" which is probably not what you want. Instead, copy"
                            + " the respective setting to the top-level of the ConfigMap, directly below \"data\"");
        }
        try {
            reader.accept(data);
            return Optional.empty();
        } catch (Settings.Malformed e) {
            return refused(e.text());
        }
    }

    private static Optional<StatusError> refused(String why) {
        return Optional.of(KindBehaviour.denied(WEBHOOK, "validation failed: " + why));
    }

    /// As knative counts it: however many ends of lines in a row are the two characters of one.
    private static String checksum(String text) {
        var crc = new CRC32();
        crc.update(text.strip().replaceAll("(?:\\r?\\n)+", "\\\\n").getBytes(StandardCharsets.UTF_8));
        return "%08x".formatted(crc.getValue());
    }
}
