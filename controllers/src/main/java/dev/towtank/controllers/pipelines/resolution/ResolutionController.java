package dev.towtank.controllers.pipelines.resolution;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Timers;
import dev.towtank.controllers.git.source.Rewrites;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.ResolutionRequest;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.runs.SettingsCache;
import dev.towtank.controllers.pipelines.source.Resolver;
import dev.towtank.controllers.pipelines.source.Resolver.Problem;
import dev.towtank.model.Durations;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;

/// Looks for what requests ask for, beside the decisions: a look may take as long as a resolver is given.
public final class ResolutionController implements AutoCloseable {

    // They mostly wait for others, and one that waits must not keep the rest waiting. What was found is wanted once.
    private static final Outside.Limits LIMITS =
            new Outside.Limits(Duration.ofMinutes(1), 16, 1_000, Outside.Limits.USUAL.backoff());

    private static final List<String> CACHE_MODES = List.of("always", "never", "auto");

    private final Map<String, Resolver> resolvers;
    private final SettingsCache settings;
    private final RequestCredentials.Source credentials;
    private final AnswerCache answers;
    private final Attempts attempts = new Attempts();
    private final InstantSource clock;
    private final Outside<Asked, ResolutionReconciler.Finding> findings;

    /// One try to answer a request.
    private record Asked(Observed<ResolutionRequest> request, Resolver resolver, int attempt) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Asked asked
                    && asked.request.object().uid().equals(request.object().uid())
                    && asked.attempt == attempt;
        }

        @Override
        public int hashCode() {
            return Objects.hash(request.object().uid(), attempt);
        }
    }

    /// @param resolvers by the type that requests name
    /// @param readers who looks for what is asked
    public ResolutionController(Caches caches, Map<String, Resolver> resolvers, Timers timers, Executor readers) {
        this.resolvers = Map.copyOf(resolvers);
        this.settings = new SettingsCache(caches);
        this.credentials = RequestCredentials.Source.of(caches);
        this.answers = new AnswerCache(timers);
        this.clock = timers;
        this.findings = new Outside<>("resolution", this::find, LIMITS, timers, readers);
    }

    public Controller<ResolutionRequest, ?> controller() {
        return Controller.of(
                        "resolution-controller",
                        PipelineKinds.RESOLUTION_REQUEST,
                        this::look,
                        new ResolutionReconciler())
                .wokenBy(findings);
    }

    @Override
    public void close() {
        findings.close();
    }

    private ResolutionReconciler.Finding look(Observed<ResolutionRequest> observed) {
        var request = observed.object();
        var isAnswered = observed.value()
                .status()
                .succeeded()
                .filter(condition -> !condition.isUnknown())
                .isPresent();
        if (isAnswered || request.isDeleting()) {
            attempts.forget(request.uid());
            return new ResolutionReconciler.Finding.Nothing();
        }
        var type = request.labels().getOrDefault(ResolutionRequest.TYPE_LABEL, "");
        var resolver = resolvers.get(type);
        if (resolver == null) {
            var known = String.join(", ", resolvers.keySet().stream().sorted().toList());
            var problem = new Problem("there is no resolver \"%s\" here; there are: %s".formatted(type, known));
            return failed(capital(type), request, problem);
        }
        var pause = attempts.pause(request.uid(), clock.instant());
        if (pause.isPresent()) {
            return new ResolutionReconciler.Finding.Later(pause.get());
        }
        var asked = new Asked(observed, resolver, attempts.made(request.uid()));
        return findings.ask(ObjectName.of(request), asked)
                .newest()
                .orElseGet(ResolutionReconciler.Finding.Nothing::new);
    }

    private ResolutionReconciler.Finding find(Asked asked) throws InterruptedException {
        var request = asked.request.object();
        var type = request.labels().getOrDefault(ResolutionRequest.TYPE_LABEL, "");
        var name = asked.resolver.installed().name();
        var question = question(asked.request, asked.resolver);
        try {
            var answer = answer(type, asked.resolver, question, request);
            return new ResolutionReconciler.Finding.Found(answer.text(), answer.source(), answer.annotations());
        } catch (Problem e) {
            return again(request, question, e)
                    .orElseGet(() -> failed(name.isEmpty() ? capital(type) : name, request, e));
        }
    }

    /// What may pass is tried again, as often as the resolver is set up to.
    private Optional<ResolutionReconciler.Finding> again(
            Resource request, Resolver.Question question, Problem problem) {
        if (problem.kind() != Problem.Kind.PASSING) {
            return Optional.empty();
        }
        var now = clock.instant();
        var end = request.creationTimestamp().orElse(now).plus(question.limit());
        return attempts.next(request.uid(), question, now, end).map(ResolutionReconciler.Finding.Later::new);
    }

    private Resolver.Answer answer(String type, Resolver resolver, Resolver.Question question, Resource request)
            throws Problem, InterruptedException {
        if (!settings.resolvers(request.cluster()).allows(type)) {
            throw Problem.invalid(
                    "cannot handle resolution request, enable-%s-resolver feature flag not true".formatted(type));
        }
        var mode = question.optional("cache").orElse("");
        if (!mode.isEmpty() && !CACHE_MODES.contains(mode)) {
            throw Problem.invalid("invalid cache mode '%s', must be one of: [always never auto] (or empty for default)"
                    .formatted(mode));
        }
        if (!isCached(
                mode.isEmpty() ? question.setting("default-cache-mode").orElse("auto") : mode, resolver, question)) {
            return resolver.resolve(question);
        }
        // Who may not read a Secret must not get by memory what it took a Secret to fetch.
        var key = request.cluster() + "/" + request.namespace() + "/" + type + new TreeMap<>(question.params());
        var known = answers.get(key, type);
        if (known.isPresent()) {
            return known.get();
        }
        var answer = resolver.resolve(question);
        var general = settings.resolver(request.cluster(), AnswerCache.CONFIG_MAP);
        return answers.put(key, type, answer, general, question.settings());
    }

    private static boolean isCached(String mode, Resolver resolver, Resolver.Question question) {
        return switch (mode) {
            case "always" -> true;
            case "never" -> false;
            default -> resolver.isImmutable(question);
        };
    }

    private static String capital(String type) {
        return type.isEmpty() ? type : type.substring(0, 1).toUpperCase(Locale.ROOT) + type.substring(1);
    }

    private ResolutionReconciler.Finding failed(String name, Resource request, Problem problem) {
        var key = request.namespace() + "/" + request.name();
        return switch (problem.kind()) {
            case INVALID ->
                new ResolutionReconciler.Finding.Failed(
                        "ResolutionFailed", "invalid resource request \"%s\": %s".formatted(key, problem.text()));
            case FAILED, PASSING ->
                new ResolutionReconciler.Finding.Failed(
                        "ResolutionFailed", "error getting \"%s\" \"%s\": %s".formatted(name, key, problem.text()));
            case TIMED_OUT ->
                new ResolutionReconciler.Finding.Failed(
                        "ResolutionTimedOut",
                        "resolution took longer than global timeout of "
                                + Durations.format(settings.of(request.cluster())
                                        .defaults()
                                        .maximumResolutionTimeout()));
        };
    }

    private Resolver.Question question(Observed<ResolutionRequest> observed, Resolver resolver) {
        var request = observed.object();
        var params = new LinkedHashMap<String, String>();
        observed.value().spec().params().forEach(param -> {
            if (param.value() instanceof ParamValue.Text(var text)) {
                params.put(param.name(), text);
            }
        });
        var installed = resolver.installed();
        var own = new LinkedHashMap<>(installed.settings());
        own.putAll(settings.resolver(request.cluster(), installed.configMap()));
        var rewrites = Rewrites.read(
                settings.resolver(request.cluster(), Rewrites.CONFIG_MAP),
                request.cluster().equals(LogicalCluster.DEFAULT));
        return new Resolver.Question(
                params,
                own,
                new RequestCredentials(credentials, request),
                rewrites,
                settings.of(request.cluster()).defaults().maximumResolutionTimeout());
    }
}
