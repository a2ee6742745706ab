package dev.towtank.controllers.secrets;

import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.controllers.secrets.reading.Generator;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.KindBehaviour;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What is refused when it is written, each time with all that is wrong.
record SecretsAdmission(String kind) implements KindBehaviour {

    private static final String SERVICE_ACCOUNT_NAME = "kubernetes.io/service-account.name";
    private static final List<String> PROVIDERS = List.of("fake", "kubernetes", "object", "webhook");
    private static final List<String> TEMPLATE_TARGETS = List.of("", "data", "annotations", "labels");

    static List<KindBehaviour> all() {
        return List.of(
                new SecretsAdmission(SecretKinds.EXTERNAL_SECRET.kind()),
                new SecretsAdmission(SecretKinds.SECRET_STORE.kind()),
                new SecretsAdmission(SecretKinds.CLUSTER_SECRET_STORE.kind()),
                new SecretsAdmission(SecretKinds.CLUSTER_EXTERNAL_SECRET.kind()),
                new SecretsAdmission(SecretKinds.PUSH_SECRET.kind()));
    }

    @Override
    public String group() {
        return SecretKinds.GROUP;
    }

    @Override
    public Optional<StatusError> refusal(Json.Obj object, Json.@Nullable Obj old) {
        // What is being deleted must be able to lose its finalizer, whatever it says.
        if (object.object("metadata").has("deletionTimestamp")) {
            return Optional.empty();
        }
        var problems = switch (kind) {
            case "ExternalSecret" -> ofExternalSecret(object.object("spec"));
            case "ClusterExternalSecret" -> ofClusterExternalSecret(object.object("spec"));
            case "PushSecret" -> ofPushSecret(object.object("spec"));
            default -> ofStore(object);
        };
        return problems.isEmpty()
                ? Optional.empty()
                : Optional.of(KindBehaviour.denied(
                        "validate." + kind.toLowerCase(Locale.ROOT) + ".external-secrets.io",
                        String.join("\n", problems)));
    }

    @Override
    public List<String> warnings(Json.Obj object) {
        var isStore = object.object("spec").has("provider");
        return isStore && object.object("spec").has("retrySettings") && !new Store(Resource.of(object)).isElsewhere()
                ? List.of("spec.retrySettings: this store reads nothing over a network, so there is nothing to repeat")
                : List.of();
    }

    private List<String> ofStore(Json.Obj object) {
        var problems = new ArrayList<String>();
        var provider = object.object("spec", "provider");
        for (var name : provider.keys()) {
            if (!PROVIDERS.contains(name)) {
                problems.add("provider %s is not supported here; there are: %s"
                        .formatted(Json.of(name), String.join(", ", PROVIDERS)));
            }
        }
        if (provider.get("kubernetes") instanceof Json.Obj kubernetes) {
            problems.addAll(ofKubernetes(kubernetes, object.string("metadata", "namespace")));
        }
        if (provider.object("webhook").has("auth")) {
            problems.add("provider.webhook.auth is not supported here; use headers");
        }
        for (var entry : provider.objects("fake", "data")) {
            if (entry.string("key").isEmpty() || entry.string("value").isEmpty()) {
                problems.add("provider.fake.data needs a key and a value in every entry");
            }
        }
        return problems;
    }

    private List<String> ofKubernetes(Json.Obj spec, String namespace) {
        var problems = new ArrayList<String>();
        boolean isClusterWide = kind.equals(SecretKinds.CLUSTER_SECRET_STORE.kind());
        if (spec.has("authRef")) {
            problems.add("provider.kubernetes.authRef is not supported here; use auth.serviceAccount or auth.token");
        }
        var store =
                new Store(Resource.of(Json.Obj.of("spec", Json.Obj.of("provider", Json.Obj.of("kubernetes", spec)))));
        if (store.isOfThisServer()) {
            if (spec.object("auth").has("cert")) {
                problems.add(
                        "provider.kubernetes.auth.cert needs a server.url: certificates are shown to servers, and"
                                + " this one reads its own Secrets without asking itself; use auth.serviceAccount or auth.token");
            }
        } else {
            Addresses.problem(store.url()).ifPresent(problem -> problems.add("provider.kubernetes." + problem));
        }
        if (spec.at("server", "caProvider") instanceof Json.Obj authority) {
            if (isClusterWide && !authority.has("namespace")) {
                problems.add("CAProvider.namespace must not be empty with ClusterSecretStore");
            }
            if (!isClusterWide && authority.has("namespace")) {
                problems.add("CAProvider.namespace must be empty with SecretStore");
            }
        }
        if (spec.at("auth", "token", "bearerToken") instanceof Json.Obj token) {
            if (token.string("name").isEmpty()) {
                problems.add("BearerToken.Name cannot be empty");
            }
            if (token.string("key").isEmpty()) {
                problems.add("BearerToken.Key cannot be empty");
            }
        }
        for (var selector :
                List.of(spec.object("auth", "serviceAccount"), spec.object("auth", "token", "bearerToken"))) {
            if (!isClusterWide
                    && selector.has("namespace")
                    && !selector.string("namespace").equals(namespace)) {
                problems.add("namespace should either be empty or match the namespace of the SecretStore for a"
                        + " namespaced SecretStore");
            }
        }
        return problems;
    }

    private static List<String> ofClusterExternalSecret(Json.Obj spec) {
        var problems = new ArrayList<>(ofExternalSecret(spec.object("externalSecretSpec")));
        ofDuration("spec.refreshTime", spec.string("refreshTime"), problems);
        return problems;
    }

    private static List<String> ofPushSecret(Json.Obj spec) {
        var problems = new ArrayList<String>();
        if (spec.has("dataTo")) {
            problems.add("dataTo is not supported here; name what is pushed in data");
        }
        if (spec.at("selector", "generatorRef") instanceof Json.Obj generator) {
            ofGenerator(generator, problems);
        }
        for (var line : spec.objects("data")) {
            if (line.object("metadata", "spec").has("remoteNamespace")) {
                problems.add("data.metadata.spec.remoteNamespace is not supported here; use a store for the namespace");
            }
        }
        ofTemplate(spec.object("template"), problems);
        ofDuration("spec.refreshInterval", spec.string("refreshInterval"), problems);
        return problems;
    }

    private static void ofGenerator(Json.Obj reference, List<String> problems) {
        var generator = reference.string("kind");
        if (!Generator.KINDS.contains(generator) && !generator.equals("ClusterGenerator")) {
            problems.add(SecretGenerators.unsupported(generator));
        }
    }

    private static void ofDuration(String field, String text, List<String> problems) {
        try {
            if (!text.isEmpty()) {
                var _ = Durations.parse(text);
            }
        } catch (Durations.Malformed e) {
            problems.add(field + ": " + e.getMessage());
        }
    }

    private static List<String> ofExternalSecret(Json.Obj spec) {
        var problems = new ArrayList<String>();
        var target = spec.object("target");
        ofPolicies(target, problems);
        if (spec.objects("data").isEmpty() && spec.objects("dataFrom").isEmpty()) {
            problems.add("either data or dataFrom should be specified");
        }
        if (target.has("manifest")) {
            problems.add("target.manifest is not supported here: targets are Secrets");
        }
        ofTemplate(target.object("template"), problems);
        spec.objects("dataFrom").forEach(source -> ofDataFrom(source, problems));
        for (var single : spec.objects("data")) {
            if (single.object("sourceRef").has("generatorRef")) {
                problems.add("data.sourceRef.generatorRef is not supported; use dataFrom.sourceRef.generatorRef");
            }
        }
        if (target.string("deletionPolicy").equals("Retain")) {
            var seen = new HashSet<String>();
            spec.objects("data").stream()
                    .map(single -> single.string("secretKey"))
                    .filter(key -> !seen.add(key))
                    .forEach(key -> problems.add("duplicate secretKey found: " + key));
        }
        ofDuration("spec.refreshInterval", spec.string("refreshInterval"), problems);
        return problems;
    }

    private static void ofPolicies(Json.Obj target, List<String> problems) {
        var creation = target.string("creationPolicy");
        var deletion = target.string("deletionPolicy");
        if (deletion.equals("Delete")
                && List.of("Merge", "None", "CreateOrMerge").contains(creation)) {
            problems.add("deletionPolicy=Delete must not be used when the controller doesn't own the secret. Please"
                    + " set creationPolicy=Owner");
        }
        if (deletion.equals("Merge") && creation.equals("None")) {
            problems.add("deletionPolicy=Merge must not be used with creationPolicy=None. There is no Secret to merge"
                    + " with");
        }
    }

    /// Nobody gets a token of an account by a template who could not get it otherwise.
    private static void ofTemplate(Json.Obj template, List<String> problems) {
        var type = template.string("type");
        if (type.equals("bootstrap.kubernetes.io/token")) {
            problems.add("template.type=" + Json.of(type) + " is not allowed");
        }
        boolean isToken = type.equals("kubernetes.io/service-account-token");
        if (isToken && template.object("metadata", "annotations").has(SERVICE_ACCOUNT_NAME)) {
            problems.add("template.type=%s with annotation %s is not allowed"
                    .formatted(Json.of(type), Json.of(SERVICE_ACCOUNT_NAME)));
        }
        for (var from : template.objects("templateFrom")) {
            var target = from.string("target");
            var plain = target.toLowerCase(Locale.ROOT);
            if (isToken && plain.equals("annotations")) {
                problems.add("template.type=%s with templateFrom target=\"Annotations\" is not allowed"
                        .formatted(Json.of(type)));
            }
            if (!TEMPLATE_TARGETS.contains(plain)) {
                problems.add(("templateFrom target=%s is not allowed when targeting a Secret, must be one of \"Data\","
                                + " \"Annotations\" or \"Labels\"")
                        .formatted(Json.of(target)));
            }
        }
    }

    private static void ofDataFrom(Json.Obj source, List<String> problems) {
        boolean hasGenerator = source.object("sourceRef").has("generatorRef");
        if (hasGenerator) {
            ofGenerator(source.object("sourceRef", "generatorRef"), problems);
        }
        if (List.of(source.has("find"), source.has("extract"), hasGenerator).stream()
                        .filter(each -> each)
                        .count()
                > 1) {
            problems.add("extract, find, or generatorRef cannot be set at the same time");
        }
        if (!source.has("find") && !source.has("extract") && !source.has("sourceRef")) {
            problems.add("either extract, find, or sourceRef must be set to dataFrom");
        }
    }
}
