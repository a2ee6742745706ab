package dev.towtank.system;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaParameterizedType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.towtank.cluster.Reconciler;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What reconcilers may not do, nor what they are made of: a decision is a function of the object, its facts and the
/// moment.
final class DecisionWalls {

    private static final Pattern OURS = Pattern.compile("dev\\.towtank\\.controllers\\..*");

    /// What a decision may not know: the world, time that passes, who acts, and what is shared with other threads.
    private static final Pattern WORLDLY = Pattern.compile(String.join(
            "|",
            "java\\.io\\.(?!Serializable|Serial$|\\w*Exception$|ByteArray).*",
            "java\\.nio\\.(file|channels)\\..*",
            "java\\.net\\.(?!URI|URISyntaxException|URLDecoder|URLEncoder).*",
            "java\\.lang\\.(Thread|ProcessBuilder|Process)",
            "java\\.util\\.concurrent\\..*",
            "java\\.util\\.Random",
            "java\\.security\\.SecureRandom",
            "java\\.time\\.(InstantSource|Clock)",
            "dev\\.towtank\\.cluster\\.(Cluster|Timers|Outside|Informer|Cache|Caches)",
            "dev\\.towtank\\.cluster\\.loop\\..*",
            "dev\\.towtank\\.cluster\\.pods\\.PodAccess"));

    /// Classes that gather facts or act, of which decisions use no more than constants and what they were given.
    private static final List<String> NOT_FOLLOWED = List.of(
            "gitops.KnownKinds", // a decision has what it found out
            "gitops.LiveObjects", // likewise
            "gitops.SyncHands", // does what is decided; what it is told is a value
            "namespaces.NamespacesFeature", // has names that its reconcilers share
            "secrets.Chance", // what it rolls is a function of the object and of a key that it was made with
            "secrets.reading.NameExpressions", // its generator of random numbers has a fixed seed
            "workloads.pods.Claim", // which pods belong to whom: found in caches by facts, read by decisions
            "workloads.services.ServicePods" // likewise
            );

    /// What is written while a value is made, and never again.
    private static final List<String> MADE_ONCE = List.of("dev.towtank.controllers.pipelines.graph.Progress$Tally");

    private DecisionWalls() {}

    /// Neither itself, nor what of its feature it decides with.
    static ArchRule decisionsArePure() {
        return eachReconciler("know nothing of the world", (reconciler, events) -> {
            for (var part : reachable(reconciler, DecisionWalls::usedBy)) {
                part.getDirectDependenciesFromSelf().stream()
                        .filter(use ->
                                WORLDLY.matcher(use.getTargetClass().getName()).matches())
                        .forEach(use -> events.add(SimpleConditionEvent.violated(
                                reconciler, reconciler.getSimpleName() + " decides with " + use.getDescription())));
            }
        });
    }

    /// Nothing that a decision is made of can be written while deciding, nor be another in the next moment.
    static ArchRule factsAreValues() {
        return eachReconciler("have nothing to remember, nor facts that change", (reconciler, events) -> {
            reconciler.getFields().stream()
                    .filter(Predicate.not(DecisionWalls::isConstant))
                    .forEach(field -> events.add(SimpleConditionEvent.violated(reconciler, changing(field))));
            for (var part : factsOf(reconciler)) {
                part.getFields().stream()
                        .filter(_ -> !MADE_ONCE.contains(part.getName()))
                        .filter(Predicate.not(DecisionWalls::isConstant))
                        .forEach(field -> events.add(SimpleConditionEvent.violated(reconciler, changing(field))));
            }
        });
    }

    private static String changing(JavaField field) {
        return field.getFullName() + " of type " + field.getRawType().getName() + " can change";
    }

    private static boolean isConstant(JavaField field) {
        return field.getModifiers().contains(JavaModifier.FINAL)
                && field.getType().getAllInvolvedRawTypes().stream()
                        .noneMatch(type -> WORLDLY.matcher(type.getName()).matches());
    }

    private static ArchRule eachReconciler(String rule, BiConsumer<JavaClass, ConditionEvents> check) {
        return classes()
                .that()
                .areAssignableTo(Reconciler.class)
                .should(new ArchCondition<>(rule) {
                    @Override
                    public void check(JavaClass reconciler, ConditionEvents events) {
                        check.accept(reconciler, events);
                    }
                })
                .because("a decision is a function of the object, its facts and the moment");
    }

    private static Stream<JavaClass> usedBy(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                .map(use -> use.getTargetClass())
                .filter(DecisionWalls::isFollowed);
    }

    /// What does I/O is in packages of its own, and another wall keeps it there.
    private static boolean isFollowed(JavaClass type) {
        return !(type.getPackageName() + ".").contains(".source.")
                && NOT_FOLLOWED.stream()
                        .map("dev.towtank.controllers."::concat)
                        .noneMatch(each ->
                                type.getName().equals(each) || type.getName().startsWith(each + "$"));
    }

    private static Stream<JavaClass> heldBy(JavaClass type) {
        return type.getFields().stream().flatMap(field -> field.getType().getAllInvolvedRawTypes().stream());
    }

    /// The facts of a reconciler with all that they hold.
    private static Set<JavaClass> factsOf(JavaClass reconciler) {
        var all = new LinkedHashSet<JavaClass>();
        for (var type : reconciler.getInterfaces()) {
            if (type.toErasure().isEquivalentTo(Reconciler.class) && type instanceof JavaParameterizedType generic) {
                generic.getActualTypeArguments().get(1).getAllInvolvedRawTypes().stream()
                        .filter(fact -> OURS.matcher(fact.getName()).matches())
                        .forEach(fact -> all.addAll(reachable(fact, DecisionWalls::heldBy)));
            }
        }
        return all;
    }

    private interface Step {
        Stream<JavaClass> from(JavaClass type);
    }

    private static Set<JavaClass> reachable(JavaClass start, Step step) {
        var all = new LinkedHashSet<>(List.of(start));
        var open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            step.from(open.remove())
                    .filter(next -> OURS.matcher(next.getName()).matches() && all.add(next))
                    .forEach(open::add);
        }
        return all;
    }
}
