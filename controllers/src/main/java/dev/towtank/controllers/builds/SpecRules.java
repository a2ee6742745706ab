package dev.towtank.controllers.builds;

import dev.towtank.controllers.builds.api.BuildKinds;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Path;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.KindBehaviour;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What BuildConfigs and Builds must have, and what of theirs is not served.
///
/// @param of which of the two
record SpecRules(Kind<?> of) implements KindBehaviour {

    private static final String WEBHOOK = "builds.towtank.dev";
    private static final Set<String> WEBHOOKS = Set.of("GitHub", "GitLab", "Bitbucket", "Generic");
    private static final List<List<String>> REFUSED = List.of(
            List.of("source", "binary"),
            List.of("source", "images"),
            List.of("source", "secrets"),
            List.of("source", "configMaps"),
            List.of("source", "git", "httpProxy"),
            List.of("source", "git", "httpsProxy"),
            List.of("source", "git", "noProxy"),
            List.of("strategy", "customStrategy"),
            List.of("strategy", "jenkinsPipelineStrategy"),
            List.of("strategy", "dockerStrategy", "volumes"),
            List.of("strategy", "sourceStrategy", "volumes"),
            List.of("strategy", "sourceStrategy", "scripts"),
            List.of("postCommit"));
    private static final List<List<String>> IDLE = List.of(
            List.of("resources"),
            List.of("nodeSelector"),
            List.of("serviceAccount"),
            List.of("mountTrustedCA"),
            List.of("output", "pushSecret"),
            List.of("output", "imageLabels"),
            List.of("strategy", "dockerStrategy", "pullSecret"),
            List.of("strategy", "dockerStrategy", "noCache"),
            List.of("strategy", "dockerStrategy", "forcePull"),
            List.of("strategy", "dockerStrategy", "imageOptimizationPolicy"),
            List.of("strategy", "sourceStrategy", "pullSecret"),
            List.of("strategy", "sourceStrategy", "forcePull"),
            List.of("strategy", "sourceStrategy", "incremental"));

    static List<KindBehaviour> all() {
        return List.of(
                new SpecRules(BuildKinds.CONFIG), new SpecRules(BuildKinds.BUILD), new StreamRules(), new TagRules());
    }

    @Override
    public String group() {
        return of.group();
    }

    @Override
    public String kind() {
        return of.kind();
    }

    private static @Nullable Json at(Json.Obj spec, List<String> path) {
        return spec.at(path.toArray(String[]::new));
    }

    private static boolean isSet(Json.Obj spec, List<String> path) {
        var value = at(spec, path);
        return value != null && !value.isEmpty() && !value.equals(Json.of(false));
    }

    @Override
    public Optional<StatusError> refusal(Json.Obj object, Json.@Nullable Obj old) {
        var spec = object.object("spec");
        var missing = missing(spec);
        if (missing.isPresent()) {
            var errors = new FieldError.Collector();
            errors.required(new Path("spec").child(missing.get()), "");
            return Optional.of(StatusError.invalid(of, object.string("metadata", "name"), errors.errors()));
        }
        return unserved(spec).map(why -> KindBehaviour.denied(WEBHOOK, why));
    }

    private static Optional<String> missing(Json.Obj spec) {
        var source = spec.object("source");
        boolean isGit = source.has("git") || source.string("type").equals("Git");
        if (isGit && source.string("git", "uri").isEmpty()) {
            return Optional.of("source.git.uri");
        }
        var strategy = spec.object("strategy");
        if (!strategy.has("dockerStrategy") && !strategy.has("sourceStrategy") && !isOther(strategy)) {
            return Optional.of("strategy");
        }
        if (strategy.has("sourceStrategy")
                && strategy.string("sourceStrategy", "from", "name").isEmpty()) {
            return Optional.of("strategy.sourceStrategy.from");
        }
        return Optional.empty();
    }

    private static boolean isOther(Json.Obj strategy) {
        return strategy.has("customStrategy") || strategy.has("jenkinsPipelineStrategy");
    }

    private static Optional<String> unserved(Json.Obj spec) {
        for (var path : REFUSED) {
            if (isSet(spec, path)) {
                return Optional.of("spec." + String.join(".", path) + " is not served: leave it out");
            }
        }
        var source = spec.object("source");
        if (!source.has("git") && source.string("dockerfile").isEmpty()) {
            return Optional.of("spec.source: builds are served from git, or from a dockerfile that is written there");
        }
        if (List.of(source.string("contextDir").split("/", -1)).contains("..")) {
            return Optional.of("spec.source.contextDir: must not contain '..'");
        }
        return variables(spec).or(() -> images(spec));
    }

    private static Optional<String> variables(Json.Obj spec) {
        return Stream.of("dockerStrategy", "sourceStrategy")
                .flatMap(strategy -> Stream.concat(
                        spec.objects("strategy", strategy, "env").stream(),
                        spec.objects("strategy", strategy, "buildArgs").stream()))
                .filter(each -> each.has("valueFrom"))
                .findFirst()
                .map(each -> "spec.strategy: the variable " + each.string("name")
                        + " has valueFrom, which is not served: give it a value");
    }

    private static Optional<String> images(Json.Obj spec) {
        var to = spec.object("output", "to");
        if (to.size() > 0 && !to.string("kind").equals("ImageStreamTag")) {
            return Optional.of(
                    "spec.output.to.kind: images are written to an ImageStreamTag; nothing is pushed to other"
                            + " registries from here");
        }
        var from = ConfigReconciler.from(spec);
        if (from.size() > 0 && !Set.of("ImageStreamTag", "DockerImage").contains(from.string("kind"))) {
            return Optional.of("spec.strategy: from.kind must be ImageStreamTag or DockerImage");
        }
        return Optional.empty();
    }

    @Override
    public List<String> warnings(Json.Obj object) {
        var spec = object.object("spec");
        var warnings = new ArrayList<String>();
        for (var path : IDLE) {
            if (isSet(spec, path)) {
                warnings.add("spec." + String.join(".", path) + " has no effect here");
            }
        }
        spec.objects("triggers").stream()
                .map(trigger -> trigger.string("type"))
                .filter(WEBHOOKS::contains)
                .forEach(type -> warnings.add("spec.triggers: nobody can call the webhook of " + type
                        + " here; builds are started by ConfigChange, ImageChange and oc start-build"));
        return warnings;
    }

    /// Streams hold what is built, and other names for images.
    private record StreamRules() implements KindBehaviour {
        @Override
        public String group() {
            return BuildKinds.STREAM.group();
        }

        @Override
        public String kind() {
            return BuildKinds.STREAM.kind();
        }

        @Override
        public Optional<StatusError> refusal(Json.Obj object, Json.@Nullable Obj old) {
            var spec = object.object("spec");
            if (!spec.string("dockerImageRepository").isEmpty()) {
                return Optional.of(
                        KindBehaviour.denied(
                                WEBHOOK,
                                "spec.dockerImageRepository is not served: no repository is asked for its tags; name them in spec.tags"));
            }
            if (spec.flag("lookupPolicy", "local")) {
                return Optional.of(KindBehaviour.denied(
                        WEBHOOK,
                        "spec.lookupPolicy.local is not served: pods name images of streams as "
                                + BuildKinds.reference("<namespace>", "<stream>", ":<tag>")));
            }
            return spec.objects("tags").stream()
                    .filter(tag -> tag.has("from")
                            && !Set.of("DockerImage", "ImageStreamTag").contains(tag.string("from", "kind")))
                    .findFirst()
                    .map(tag -> KindBehaviour.denied(
                            WEBHOOK,
                            "spec.tags: from.kind of " + tag.string("name")
                                    + " must be DockerImage or ImageStreamTag"));
        }

        @Override
        public List<String> warnings(Json.Obj object) {
            return object.objects("spec", "tags").stream()
                    .filter(tag -> tag.flag("importPolicy", "scheduled"))
                    .map(tag -> "spec.tags: importPolicy.scheduled of " + tag.string("name")
                            + " has no effect here: pods get what the image's name means when they start")
                    .toList();
        }
    }

    /// Called by stream and tag.
    private record TagRules() implements KindBehaviour {
        @Override
        public String group() {
            return BuildKinds.TAG.group();
        }

        @Override
        public String kind() {
            return BuildKinds.TAG.kind();
        }

        @Override
        public Names.Rule nameRule() {
            return Names.Rule.PATH_SEGMENT;
        }
    }
}
