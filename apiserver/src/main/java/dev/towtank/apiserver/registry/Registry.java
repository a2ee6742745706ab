package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.admission.Admission;
import dev.towtank.apiserver.admission.Passage;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.apiserver.registry.Modification.Part;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.CustomResourceDefinitions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// The API over the store: every verb on every kind that the catalog serves.
public final class Registry implements Api {

    /// Answers an object that asks something and is never stored, such as a SubjectAccessReview.
    @FunctionalInterface
    public interface Questions {
        Json.Obj answer(Call call, Json.Obj question);
    }

    private static final Kind<Json.Obj> TOKEN_REQUEST =
            Kind.namespaced("authentication.k8s.io", "v1", "TokenRequest", "tokenrequests");

    private static final Set<String> OWNED_REVIEWS =
            Set.of("SelfSubjectAccessReview", "SubjectAccessReview", "LocalSubjectAccessReview", "TokenReview");

    private final Commits commits;
    private final Catalog catalog;
    private final Map<GroupResource, Questions> questions;
    private final Reading reading;
    private final Viewing viewing;
    private final Watching watching;
    private final Creation creation;
    private final Modification modification;
    private final Replacement replacement;
    private final Deletion deletion;
    private final Scales scales;
    private final PodRequests pods;
    private final Bindings bindings;
    private final Proxying proxying;
    private final Evictions evictions;
    private final Clusters clusters;
    private final ReentrantLock definitions = new ReentrantLock();

    /// @param questions the answers to reviews, and to subresources that are asked by POST (`serviceaccounts/token`)
    /// @param views what is worked out in place of being stored
    public Registry(
            Store store,
            Catalog catalog,
            List<Admission> admissions,
            Map<GroupResource, Questions> questions,
            Map<GroupResource, View> views,
            InstantSource clock,
            RandomGenerator random) {
        this.commits = new Commits(store, admissions, clock, random);
        this.catalog = catalog;
        this.questions = Map.copyOf(questions);
        this.reading = new Reading(store);
        this.viewing = new Viewing(store, views);
        this.clusters = new Clusters(store);
        this.watching = new Watching(store, clusters);
        this.creation = new Creation(commits);
        this.modification = new Modification(commits);
        this.replacement = new Replacement(commits, modification, creation);
        this.deletion = new Deletion(commits, reading);
        this.scales = new Scales(reading, modification);
        this.pods = new PodRequests(commits, reading);
        this.bindings = new Bindings(commits, modification, catalog);
        this.proxying = new Proxying(store, commits);
        this.evictions = new Evictions(commits, reading, modification, deletion, catalog);
    }

    @Override
    public Answer handle(Call call) {
        boolean plainRead =
                call.verb().isReadOnly() && call.target().subresource().isEmpty();
        if (plainRead) {
            return carryOut(call);
        }
        return isDefinition(call.target())
                ? oneAfterAnother(() -> Passage.of(() -> carryOut(call)))
                : Passage.of(() -> carryOut(call));
    }

    @Override
    public void checkAwake(LogicalCluster cluster) {
        clusters.checkAwake(cluster);
    }

    /// An apply that made no difference the last time makes none now, and no rule that might wait is to be asked.
    @Override
    public Optional<Answer> quickly(Call call) {
        var target = call.target();
        if (call.verb() != Verb.PATCH || !target.subresource().isEmpty() || isDefinition(target)) {
            return Optional.empty();
        }
        clusters.check(call.cluster());
        return catalog.find(call.cluster(), target.group(), target.version(), target.resource())
                .filter(served -> served.verbs().contains(Verb.PATCH)
                        && !served.conversion().mayWait())
                .flatMap(served -> Passage.perhaps(() -> replacement.appliedBefore(call, served)));
    }

    /// Only plain objects with names, about which no rule has to wait for anybody.
    @Override
    public Optional<List<Answer>> together(List<Call> creations) {
        try {
            var served = new ArrayList<Served>();
            for (var call : creations) {
                clusters.check(call.cluster());
                var target = call.target();
                catalog.find(call.cluster(), target.group(), target.version(), target.resource())
                        .filter(it -> isPlain(call, it))
                        .ifPresent(served::add);
            }
            return served.size() == creations.size() ? creation.together(creations, served) : Optional.empty();
        } catch (StatusError e) {
            return Optional.empty();
        }
    }

    private boolean isPlain(Call call, Served served) {
        var target = call.target();
        return target.subresource().isEmpty()
                && !target.namespace().isEmpty()
                && served.kind().isNamespaced()
                && served.verbs().contains(Verb.UPDATE)
                && !served.conversion().mayWait()
                && !call.isDryRun()
                && !commits.mayWait(call.cluster());
    }

    private static boolean isDefinition(Target target) {
        var definitions = CustomResourceDefinitions.KIND.resource();
        return target.resource().equals(definitions.resource())
                && target.group().equals(definitions.group());
    }

    /// A definition gets its names in the write that makes it: of two that want the same one, the second must see the
    /// first.
    private Answer oneAfterAnother(Supplier<Answer> write) {
        definitions.lock();
        try {
            return write.get();
        } finally {
            definitions.unlock();
        }
    }

    private Answer carryOut(Call call) {
        var target = call.target();
        clusters.check(call.cluster());
        var served = catalog.find(call.cluster(), target.group(), target.version(), target.resource())
                .orElseThrow(() -> nothingAt(target));
        var viewed = viewing.answer(call, served);
        if (viewed.isPresent()) {
            return viewed.get();
        }
        if (!served.verbs().contains(call.verb())) {
            throw isNowhere(call, served) ? StatusError.notServed() : StatusError.notAllowedThere();
        }
        checkAddress(call, served);
        if (!target.subresource().isEmpty()) {
            return subresource(call, served);
        }
        return switch (call.verb()) {
            case GET -> reading.get(call, served);
            case LIST -> reading.list(call, served);
            case WATCH -> watching.watch(call, served);
            case CREATE -> create(call, served);
            case UPDATE -> replacement.update(call, served, Part.OBJECT);
            case PATCH -> replacement.patch(call, served, Part.OBJECT);
            case DELETE -> deletion.delete(call, served);
            case DELETECOLLECTION -> deletion.deleteCollection(call, served);
        };
    }

    /// What is only posted has one address, that of its collection.
    private static boolean isNowhere(Call call, Served served) {
        var target = call.target();
        boolean elsewhere = served.kind().isNamespaced() && target.namespace().isEmpty();
        return served.verbs().size() == 1 && (elsewhere || !target.name().isEmpty());
    }

    private Answer create(Call call, Served served) {
        if (served.kind().equals(Bindings.KIND)) {
            return bindings.bindNamed(call);
        }
        return served.verbs().size() == 1 ? ask(call, served) : creation.create(call, served);
    }

    // Addresses of built-in groups are known to speak of objects; others are only where a definition makes them.
    private static StatusError nothingAt(Target target) {
        return Schemas.builtin().isGroup(target.group()) ? StatusError.notServed() : StatusError.noPage();
    }

    /// An object is found where its kind lives and nowhere else: in a namespace, or outside of all.
    private static void checkAddress(Call call, Served served) {
        boolean inNamespace = !call.target().namespace().isEmpty();
        if (served.kind().isNamespaced() == inNamespace) {
            return;
        }
        boolean isList = call.verb() == Verb.LIST || call.verb() == Verb.WATCH;
        if (Schemas.builtin().find(served.kind()).isEmpty() && (inNamespace || !isList)) {
            throw StatusError.noPage();
        }
        switch (call.verb()) {
            case LIST, WATCH -> {
                if (inNamespace) {
                    throw StatusError.notServed();
                }
            }
            case CREATE, DELETECOLLECTION ->
                throw inNamespace || isNowhere(call, served) ? StatusError.notServed() : StatusError.notAllowedThere();
            case GET, UPDATE, PATCH, DELETE -> throw StatusError.notServed();
        }
    }

    private Answer subresource(Call call, Served served) {
        var kind = served.kind();
        var subresource = call.target().subresource();
        if (subresource.equals("status") && kind.hasStatus()) {
            return part(call, served, Part.STATUS);
        }
        if (subresource.equals("scale") && kind.scale().isPresent()) {
            return scale(call, served);
        }
        return switch (kind.resource() + "/" + subresource) {
            case "namespaces/finalize" -> finalizeNamespace(only(Verb.UPDATE, call), served);
            case "pods/binding" -> bindings.bind(only(Verb.CREATE, call), served);
            case "pods/eviction" -> evictions.evict(only(Verb.CREATE, call), served);
            case "pods/log" -> pods.connect(only(Verb.GET, call), served);
            case "pods/exec", "pods/attach", "pods/portforward" -> pods.connect(call, served);
            case "pods/ephemeralcontainers" -> part(call, served, Part.EPHEMERAL_CONTAINERS);
            case "pods/resize" -> part(call, served, Part.RESIZE);
            case "pods/proxy" -> proxying.pod(call);
            case "services/proxy" -> proxying.service(call);
            case "serviceaccounts/token" -> ask(only(Verb.CREATE, call), served);
            default ->
                throw Schemas.builtin().find(kind).isEmpty()
                        ? StatusError.notFound(kind.resource(), call.target().name())
                        : StatusError.notServed();
        };
    }

    private static Call only(Verb verb, Call call) {
        if (call.verb() != verb) {
            throw StatusError.notAllowedThere();
        }
        return call;
    }

    private Answer part(Call call, Served served, Part part) {
        return switch (call.verb()) {
            case GET -> reading.get(call, served);
            case UPDATE -> replacement.update(call, served, part);
            case PATCH -> replacement.patch(call, served, part);
            case LIST, WATCH, CREATE, DELETE, DELETECOLLECTION -> throw StatusError.notAllowedThere();
        };
    }

    private Answer scale(Call call, Served served) {
        return switch (call.verb()) {
            case GET -> scales.get(call, served);
            case UPDATE -> scales.update(call, served);
            case PATCH -> scales.patch(call, served);
            case LIST, WATCH, CREATE, DELETE, DELETECOLLECTION -> throw StatusError.notAllowedThere();
        };
    }

    // Only the finalizers of the spec may change here; when the last is gone, so is the namespace.
    private Answer finalizeNamespace(Call call, Served served) {
        var warnings = new ArrayList<String>();
        var wanted = Decoder.object(call, served.kind(), warnings::add);
        Replacement.checkIdentity(call, served.kind(), wanted);
        return modification.modify(
                call,
                served,
                Part.EVERYTHING,
                current -> current.with(
                                List.of("metadata", "resourceVersion"),
                                Json.of(wanted.string("metadata", "resourceVersion")))
                        .with("spec", current.object("spec").with("finalizers", wanted.array("spec", "finalizers"))),
                warnings);
    }

    /// What was asked is owned by who asked, though it is stored nowhere.
    private Json.Obj owned(Call call, Served served, Json.Obj question, Json.Obj answer) {
        boolean isToken = call.target().subresource().equals("token");
        if (!isToken && !OWNED_REVIEWS.contains(served.kind().kind())) {
            return answer;
        }
        var asked = question.with("metadata", Json.Obj.EMPTY);
        if (isToken) {
            var seconds = answer.at("spec", "expirationSeconds");
            asked = asked.with(List.of("spec", "expirationSeconds"), seconds == null ? Json.Null.NULL : seconds);
        }
        var kind = isToken ? Served.review(TOKEN_REQUEST) : served;
        var owners = FieldOwners.created(
                        call, kind, asked, asked, commits.clock().instant())
                .object("metadata")
                .array("managedFields");
        return answer.with(List.of("metadata", "managedFields"), owners);
    }

    private Answer ask(Call call, Served served) {
        var subresource = call.target().subresource();
        var name = served.kind().plural() + (subresource.isEmpty() ? "" : "/" + subresource);
        var answers = questions.get(new GroupResource(served.kind().group(), name));
        if (answers == null) {
            throw StatusError.notServed();
        }
        var question = subresource.isEmpty() ? Decoder.object(call, served.kind(), _ -> {}) : Decoder.options(call);
        if (subresource.equals("token")) {
            var target = call.target();
            commits.check(new Review(
                    call,
                    TOKEN_REQUEST,
                    Review.Operation.CREATE,
                    target.namespace(),
                    target.name(),
                    subresource,
                    question,
                    null));
        }
        var answer = owned(call, served, question, answers.answer(call, question));
        return new Answer.One(201, Optional.empty(), Content.of(answer), List.of());
    }
}
