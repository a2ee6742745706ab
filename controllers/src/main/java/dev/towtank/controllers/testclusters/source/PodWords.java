package dev.towtank.controllers.testclusters.source;

import dev.towtank.cluster.Outside;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.controllers.testclusters.templates.PodQuestion;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// Reads the ends of what the containers of a pod said, one after another.
public final class PodWords implements Outside.Reader<PodQuestion, String> {

    private static final int LONGEST = 16 << 10;
    private static final int MOST_LINES = 500;

    private final PodAccess access;

    public PodWords(PodAccess access) {
        this.access = access;
    }

    @Override
    public String read(PodQuestion question) throws IOException {
        var text = new StringBuilder();
        var spec = question.pod().spec();
        for (var container : Stream.concat(spec.objects("initContainers").stream(), spec.objects("containers").stream())
                .map(each -> each.string("name"))
                .toList()) {
            var said = said(question.pod(), container);
            text.append("container %s%s%n%s%s"
                    .formatted(container, end(question.pod(), container), said, said.isEmpty() ? "" : "\n"));
        }
        return text.length() <= LONGEST ? text.toString() : withoutHalfALine(text.substring(text.length() - LONGEST));
    }

    private static String end(Resource pod, String container) {
        return Stream.of("initContainerStatuses", "containerStatuses")
                .flatMap(list -> pod.status().objects(list).stream())
                .filter(each -> each.string("name").equals(container))
                .map(each -> each.object("state", "terminated"))
                .filter(state -> state.has("exitCode"))
                .map(PodWords::end)
                .findFirst()
                .orElse("");
    }

    private static String end(Json.Obj state) {
        return " ended with exit code " + state.integer("exitCode") + " (" + state.string("reason") + ")";
    }

    private String said(Resource pod, String container) throws IOException {
        var request = new PodAccess.LogRequest(
                container,
                false,
                false,
                false,
                Optional.empty(),
                Optional.empty(),
                OptionalLong.of(MOST_LINES),
                OptionalLong.empty());
        try (var log = access.log(pod, request)) {
            return end(log);
        } catch (StatusError e) {
            // Of one that never ran; the words tell why.
            return e.text();
        }
    }

    private static String end(InputStream log) throws IOException {
        var kept = new byte[0];
        boolean isCut = false;
        for (var next = log.readNBytes(LONGEST); next.length > 0; next = log.readNBytes(LONGEST)) {
            int length = Math.min(kept.length, LONGEST - next.length);
            isCut |= length < kept.length;
            var joined =
                    Arrays.copyOf(Arrays.copyOfRange(kept, kept.length - length, kept.length), length + next.length);
            System.arraycopy(next, 0, joined, length, next.length);
            kept = joined;
        }
        var text = new String(kept, StandardCharsets.UTF_8).stripTrailing();
        return isCut ? withoutHalfALine(text) : text;
    }

    /// Half of a secret would not be recognised as one.
    private static String withoutHalfALine(String text) {
        int end = text.indexOf('\n');
        return "…\n" + (end < 0 ? "" : text.substring(end + 1));
    }
}
