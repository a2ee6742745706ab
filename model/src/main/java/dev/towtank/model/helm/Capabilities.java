package dev.towtank.model.helm;

import dev.towtank.model.template.Function;
import dev.towtank.model.template.GoObject;
import dev.towtank.model.template.GoType;
import dev.towtank.model.template.Print;
import dev.towtank.model.template.TypedList;
import dev.towtank.model.template.TypedMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What a chart may know about the cluster it is rendered for: its version, and which APIs it has.
public record Capabilities(KubeVersion kubeVersion, List<String> apiVersions) implements GoObject {
    private static final String HELM_VERSION = "v3.21.0";

    public Capabilities {
        apiVersions = List.copyOf(new TreeSet<>(apiVersions));
    }

    /// What `helm template` has for a Kubernetes of a version.
    public static Capabilities of(String kubeVersion) {
        return new Capabilities(KubeVersion.of(kubeVersion), KnownApis.ALL);
    }

    /// These, and more APIs: `group/version` or `group/version/Kind`.
    public Capabilities with(List<String> more) {
        var all = new ArrayList<>(apiVersions);
        all.addAll(more);
        return new Capabilities(kubeVersion, all);
    }

    /// What a chart sees that is installed on a server: what it serves, also with kinds, as in `apps/v1/Deployment`.
    ///
    /// @param apiVersions all that is served
    public static Capabilities ofServer(String kubeVersion, List<String> apiVersions) {
        return new Capabilities(KubeVersion.of(kubeVersion), apiVersions);
    }

    @Override
    public String type() {
        return "*chartutil.Capabilities";
    }

    @Override
    public @Nullable Member member(String name) {
        return switch (name) {
            case "KubeVersion" -> new Field(kubeVersion);
            case "APIVersions" -> new Field(new VersionSet(apiVersions));
            case "HelmVersion" -> new Field(new HelmVersion());
            default -> null;
        };
    }

    @Override
    public String text() {
        return "{" + kubeVersion.text() + " " + Print.value(TypedList.strings(apiVersions)) + "}";
    }

    private record VersionSet(List<String> versions) implements GoObject {
        @Override
        public String type() {
            return "chartutil.VersionSet";
        }

        @Override
        public String kind() {
            return "slice";
        }

        @Override
        public @Nullable Member member(String name) {
            return name.equals("Has")
                    ? new Method(Function.of(call -> versions.contains(call.string(0)), GoType.STRING))
                    : null;
        }

        @Override
        public String text() {
            return Print.value(TypedList.strings(versions));
        }

        @Override
        public @Nullable Object data() {
            return TypedList.strings(versions);
        }

        @Override
        public Optional<Object> elements() {
            return Optional.of(TypedList.strings(versions));
        }
    }

    private record HelmVersion() implements GoObject {
        @Override
        public String type() {
            return "version.BuildInfo";
        }

        @Override
        public @Nullable Member member(String name) {
            return switch (name) {
                case "Version" -> new Field(HELM_VERSION);
                case "GitCommit", "GitTreeState" -> new Field("");
                case "GoVersion" -> new Field("go1.25");
                default -> null;
            };
        }

        @Override
        public String text() {
            return "{" + HELM_VERSION + "   go1.25}";
        }

        @Override
        public @Nullable Object data() {
            return TypedMap.strings(Map.of("version", HELM_VERSION, "go_version", "go1.25"));
        }
    }
}
