package dev.towtank.controllers.pipelines.runs;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.Ref;
import dev.towtank.controllers.pipelines.api.ResolutionRequest;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.controllers.pipelines.conversion.Conversion;
import dev.towtank.controllers.pipelines.validation.Admission;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Records;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Finds what references name: in the caches, or as the answer to a ResolutionRequest.
public final class References {

    private static final BigInteger FNV_OFFSET = new BigInteger("6c62272e07bb014262b821756295c58d", 16);
    private static final BigInteger FNV_PRIME = new BigInteger("0000000001000000000000000000013B", 16);
    private static final BigInteger FNV_MASK = BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE);

    private final Cache tasks;
    private final Cache pipelines;
    private final Cache stepActions;
    private final Cache requests;
    private final SettingsCache settings;

    public References(Caches caches) {
        settings = new SettingsCache(caches);
        tasks = caches.of(PipelineKinds.TASK);
        pipelines = caches.of(PipelineKinds.PIPELINE);
        stepActions = caches.of(PipelineKinds.STEP_ACTION);
        requests = caches.of(PipelineKinds.RESOLUTION_REQUEST);
    }

    public Fetched task(Resource owner, String name, Ref reference) {
        return fetch(PipelineKinds.TASK, tasks, owner, name, reference);
    }

    public Fetched pipeline(Resource owner, String name, Ref reference) {
        return fetch(PipelineKinds.PIPELINE, pipelines, owner, name, reference);
    }

    public Fetched stepAction(Resource owner, String name, Ref reference) {
        return fetch(PipelineKinds.STEP_ACTION, stepActions, owner, name, reference);
    }

    /// @param name of the run that the definition is for: requests are told apart by it
    private Fetched fetch(Kind<?> kind, Cache cache, Resource owner, String name, Ref reference) {
        if (reference.resolver().equals("cluster")) {
            return fromCluster(kind, cache, owner, name, reference);
        }
        if (reference.isRemote()) {
            return remote(kind, owner, name, reference);
        }
        return cache.get(new ObjectName(owner.cluster(), owner.namespace(), reference.name()))
                .<Fetched>map(found -> new Fetched.Found(found.json(), Optional.empty()))
                .orElseGet(() -> new Fetched.Missing(notFound(kind, reference.name())));
    }

    private static String notFound(Kind<?> kind, String name) {
        return StatusError.notFound(kind.resource(), name).text();
    }

    /// What is in this cluster needs no request: it is looked up where the caches are.
    private Fetched fromCluster(Kind<?> kind, Cache cache, Resource owner, String name, Ref reference) {
        var key = owner.namespace() + "/" + requestName(owner, name, reference);
        var wanted = ClusterLookup.of(
                param -> text(reference, param),
                settings.resolver(owner.cluster(), ClusterLookup.CONFIG_MAP),
                settings.resolvers(owner.cluster()).allows("cluster"));
        return switch (wanted) {
            case ClusterLookup.Refused(var why) -> missing("invalid resource request \"%s\": %s".formatted(key, why));
            case ClusterLookup.Wanted(var other, var _, var _)
            when !other.equalsIgnoreCase(kind.kind()) ->
                missing("the cluster resolver was asked for a %s where a %s is needed".formatted(other, kind.kind()));
            case ClusterLookup.Wanted(var _, var object, var namespace) ->
                cache.get(new ObjectName(owner.cluster(), namespace, object))
                        .<Fetched>map(found -> new Fetched.Found(found.json(), Optional.of(source(kind, found))))
                        .orElseGet(() ->
                                missing("error getting \"Cluster\" \"%s\": %s".formatted(key, notFound(kind, object))));
        };
    }

    private static Fetched missing(String why) {
        return new Fetched.Missing("error requesting remote resource: " + why);
    }

    private static Json.Obj source(Kind<?> kind, Resource found) {
        var uri = "/apis/%s/namespaces/%s/%s/%s@%s"
                .formatted(
                        "tekton.dev/v1",
                        found.namespace(),
                        kind.kind().toLowerCase(Locale.ROOT),
                        found.name(),
                        found.uid());
        var digest = ChildNames.digest("SHA-256", found.spec().toString());
        return Json.Obj.of("uri", Json.of(uri), "digest", Json.Obj.of("sha256", Json.of(digest)));
    }

    private static String text(Ref reference, String param) {
        return reference.params().stream()
                .filter(each -> each.name().equals(param))
                .map(each -> each.value().textOrEmpty())
                .findFirst()
                .orElse("");
    }

    private Fetched remote(Kind<?> kind, Resource owner, String name, Ref reference) {
        var request = request(owner, name, reference);
        var found = requests.get(ObjectName.of(request));
        if (found.isEmpty()) {
            return new Fetched.Requested(Plan.none().create(PipelineKinds.RESOLUTION_REQUEST, request));
        }
        var status = Records.read(ResolutionRequest.class, found.get().json()).status();
        var outcome = status.succeeded().filter(condition -> !condition.isUnknown());
        if (outcome.isEmpty()) {
            return new Fetched.Requested(Plan.NONE);
        }
        return outcome.get().isTrue()
                ? decoded(kind, status, settings.of(owner.cluster()))
                : new Fetched.Missing(
                        "error requesting remote resource: " + outcome.get().message());
    }

    private static Fetched decoded(Kind<?> kind, ResolutionRequest.Status status, Settings settings) {
        try {
            var text = new String(Base64.getDecoder().decode(status.data()), StandardCharsets.UTF_8);
            if (!(YamlText.parse(text) instanceof Json.Obj object)) {
                return new Fetched.Missing("resolution of remote resource completed successfully but it is no object");
            }
            if (!object.string("kind").equals(kind.kind())) {
                return new Fetched.Missing("resource is not a " + kind.kind().toLowerCase(Locale.ROOT));
            }
            var source = status.refSource()
                    .map(Records::write)
                    .filter(Json.Obj.class::isInstance)
                    .map(Json.Obj.class::cast);
            return admitted(kind, object, source, settings);
        } catch (IllegalArgumentException | dev.towtank.model.JsonText.Malformed e) {
            return new Fetched.Missing("invalid runtime object: " + e.getMessage());
        }
    }

    /// What comes from outside must be as right as what the server takes.
    private static Fetched admitted(Kind<?> kind, Json.Obj object, Optional<Json.Obj> source, Settings settings) {
        var version = object.string("apiVersion").replaceFirst("^.*/", "");
        var current = version.equals(kind.version()) ? object : Conversion.convert(object, version, kind.version());
        var complete = Admission.defaults(current.with("apiVersion", Json.of(kind.apiVersion())), settings);
        return Admission.review(complete, Optional.empty(), settings)
                .refusal()
                .<Fetched>map(
                        refusal -> new Fetched.Missing("validation of referenced object failed: " + refusal.text()))
                .orElseGet(() -> new Fetched.Found(complete, source));
    }

    private static Resource request(Resource owner, String name, Ref reference) {
        var spec = Json.Obj.builder().putNonEmpty("params", Param.json(reference.params()));
        spec.putNonEmpty("url", reference.name());
        return owner.with(Json.Obj.builder()
                .put("apiVersion", PipelineKinds.RESOLUTION_REQUEST.apiVersion())
                .put("kind", PipelineKinds.RESOLUTION_REQUEST.kind())
                .put(
                        "metadata",
                        Json.Obj.builder()
                                .put("name", requestName(owner, name, reference))
                                .put("namespace", owner.namespace())
                                .put("labels", Json.Obj.of(ResolutionRequest.TYPE_LABEL, Json.of(reference.resolver())))
                                .put(
                                        "ownerReferences",
                                        Json.Arr.of(owner.asOwner(true).json()))
                                .build())
                .put("spec", spec.build())
                .build());
    }

    private static String requestName(Resource owner, String name, Ref reference) {
        var text = new StringBuilder(owner.namespace() + "/" + name);
        var params = List.copyOf(reference.params()).stream()
                .sorted(Comparator.comparing(Param::name))
                .toList();
        params.forEach(param -> text.append(param.name())
                .append(
                        param.value() instanceof ParamValue.Text(var value)
                                ? value
                                : param.value().json().toString()));
        text.append(reference.name());
        var hash = FNV_OFFSET;
        for (byte b : text.toString().getBytes(StandardCharsets.UTF_8)) {
            hash = hash.xor(BigInteger.valueOf(b & 0xFF)).multiply(FNV_PRIME).and(FNV_MASK);
        }
        var digits = "%032x".formatted(hash);
        var prefix = reference.resolver();
        return prefix.substring(0, Math.min(prefix.length(), 62 - digits.length())) + "-" + digits;
    }
}
