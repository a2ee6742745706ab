package dev.towtank.system;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;

/// What the code may not do, each as a rule that a test checks. To allow an exception, add one line to a list
/// below, with the reason.
final class Walls {
    private static final String OURS = "dev.towtank.";

    /// What each module may see of the others.
    private static final Map<String, List<String>> MODULES = Map.of(
            "model", List.of(),
            "cluster", List.of("model"),
            "apiserver", List.of("cluster", "model"),
            "controllers", List.of("cluster", "model"),
            "node", List.of("cluster", "model"),
            "archive", List.of("cluster", "model"),
            "app", List.of("apiserver", "archive", "cluster", "controllers", "model", "node"),
            "junit", List.of("app", "model"));

    /// Where each library may be used: a package with all below it, or a single class.
    private static final Map<String, List<String>> FENCES = Map.ofEntries(
            Map.entry("com.fasterxml.jackson", List.of("model.JsonText")),
            Map.entry(
                    "org.yaml",
                    List.of("model.wording.GoYaml", "model.YamlReader", "model.YamlSource", "model.YamlText")),
            Map.entry("dev.cel", List.of("model.cel")),
            Map.entry("org.eclipse.jetty", List.of("apiserver.http")),
            Map.entry("org.eclipse.jgit", List.of("controllers.git.source", "controllers.pipelinesascode.source")),
            Map.entry("java.sql", List.of("apiserver.store", "archive")),
            Map.entry("org.sqlite", List.of("apiserver.store", "archive")),
            Map.entry("org.bouncycastle", List.of("apiserver.pki")),
            Map.entry("io.fabric8", List.of("cluster.remote")),
            Map.entry("io.prometheus", List.of("apiserver.metrics")),
            Map.entry("org.apache.commons.compress", List.of("node.images.store")),
            Map.entry("picocli", List.of("app")));

    /// Who may ask the machine for the time, or wait for it to pass.
    private static final List<String> CLOCK_EXEMPTIONS = List.of(
            "apiserver.store.JournaledStore", // its store in memory is for tests that have no clock to give
            "app.AwsMain", // a program of its own, as Main is
            "app.EmbeddedServer", // as Main does, for those who embed a server
            "app.Main", // hands the machine's clock to everybody else
            "cluster.SystemTimers" // is the port itself, on the machine's clock
            );

    /// Who may start processes.
    private static final List<String> PROCESS_EXEMPTIONS = List.of(
            "app.command.Background", // starts the server itself a second time
            "controllers.git.source.SshCommand", // git over ssh is the machine's own ssh
            "controllers.testclusters.source.ClusterPrograms", // kind and k3d, where the server was told that it may
            "app.conformance.CatalogTrial", // the catalog's tests are scripts, run where somebody asks for it
            "app.doctor.RealMachine", // asks programs for their versions
            "app.render.CredentialProgram", // docker's logins are with programs of the user's
            "app.engine.PasswordProgram", // the same, for those who pull images
            "app.notebook.RunnerProcess", // a notebook without a cluster is a process of whoever runs it
            "app.lint.script.ScriptJudge", // asks the shells whether they can parse scripts, without running them
            "app.lint.settings.ChangedFiles", // asks git what changed, and nothing else
            "node" // pods are processes
            );

    /// Whose uses of other packages do not count as part of a cycle.
    private static final List<String> CYCLE_EXEMPTIONS = List.of(
            "model.kinds.BuiltinKinds", // lists the kinds of the packages below it, which share the parts beside it
            "model.kinds.RestKinds" // the same
            );

    private static final Pattern FEATURE = Pattern.compile("dev\\.towtank\\.controllers\\.(\\w+)(\\..*)?");

    /// Packages of `controllers` that are no feature: all features may use them.
    private static final Set<String> SHARED = Set.of("git", "rendering");

    private Walls() {}

    /// All rules by name.
    static Map<String, ArchRule> all() {
        var rules = new TreeMap<String, ArchRule>();
        MODULES.forEach((module, seen) -> rules.put("module " + module, moduleSeesOnly(module, seen)));
        FENCES.forEach((library, places) -> rules.put("fence " + library, onlyUsedIn(library, places)));
        rules.put("clock", clockIsAPort());
        rules.put("processes", processesAreStartedBy(PROCESS_EXEMPTIONS));
        rules.put("console", consoleBelongsToApp());
        rules.put("null-marked", packagesAreNullMarked());
        rules.put("cycles", packagesHaveNoCycles());
        rules.put("names", namesSaySomething());
        rules.put("values", modelIsValuesOnly());
        rules.put("siblings", featuresSeeApisOnly());
        rules.put("decisions", DecisionWalls.decisionsArePure());
        rules.put("facts", DecisionWalls.factsAreValues());
        rules.put("outside", featuresReachOutInSource());
        return rules;
    }

    private static ArchRule moduleSeesOnly(String module, List<String> seen) {
        var packages = seen.stream().map(each -> OURS + each + "..").toArray(String[]::new);
        var own = OURS + module + "..";
        return classes()
                .that()
                .resideInAPackage(own)
                .should()
                .onlyDependOnClassesThat(resideOutsideOfPackage(OURS + ".")
                        .or(resideInAnyPackage(own))
                        .or(resideInAnyPackage(packages)))
                .because("arrows between modules point down only");
    }

    private static ArchRule onlyUsedIn(String library, List<String> places) {
        return noClasses()
                .that(areOutside(places))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library + "..")
                .because("each library has one place that knows it")
                .allowEmptyShould(true);
    }

    private static ArchRule clockIsAPort() {
        return noClasses()
                .that(areOutside(CLOCK_EXEMPTIONS))
                .should()
                .callCodeUnitWhere(isCallOf(
                        "java\\.time\\.\\w+\\.now",
                        "java\\.time\\.(Clock|InstantSource)\\.system\\w*",
                        "java\\.lang\\.System\\.currentTimeMillis",
                        "java\\.util\\.Calendar\\.getInstance",
                        "java\\.lang\\.Thread\\.sleep",
                        "java\\.util\\.concurrent\\.TimeUnit\\.sleep"))
                .because("time is a port: take an InstantSource, so that tests can move it");
    }

    private static ArchRule processesAreStartedBy(List<String> places) {
        return noClasses()
                .that(areOutside(places))
                .should()
                .callCodeUnitWhere(isCallOf("java\\.lang\\.ProcessBuilder\\..*", "java\\.lang\\.Runtime\\.exec"))
                .because("only what runs pods and what starts the server starts processes");
    }

    private static ArchRule consoleBelongsToApp() {
        return noClasses()
                .that(areOutside(List.of("app")))
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .because("a library does not talk to the terminal");
    }

    private static ArchRule packagesAreNullMarked() {
        return classes().should(new ArchCondition<>("be in a package with @NullMarked") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                var marked = type.getPackage()
                        .tryGetPackageInfo()
                        .filter(info -> info.isAnnotatedWith(NullMarked.class))
                        .isPresent();
                if (!marked) {
                    events.add(SimpleConditionEvent.violated(
                            type, type.getPackageName() + " has no package-info.java with @NullMarked"));
                }
            }
        });
    }

    private static ArchRule packagesHaveNoCycles() {
        return slices().matching(OURS + "(**)")
                .should()
                .beFreeOfCycles()
                .ignoreDependency(not(areOutside(CYCLE_EXEMPTIONS)), alwaysTrue());
    }

    private static ArchRule namesSaySomething() {
        return noClasses()
                .should()
                .haveNameMatching(".*[.$]([A-Z]\\w*)?(Manager|Utils?|Helper|Impl|Common)")
                .orShould()
                .haveNameMatching(".*[.$](Abstract|Base|Common)[A-Z]\\w*")
                .because("such a name says nothing of what the class is for");
    }

    private static ArchRule modelIsValuesOnly() {
        var worldly = Pattern.compile(String.join(
                "|",
                "java\\.io\\.(File|RandomAccess).*",
                "java\\.nio\\.(file|channels)\\..*",
                "java\\.net\\.(?!URI|URISyntaxException|InetAddress|Inet4Address|Inet6Address).*",
                "java\\.lang\\.Thread",
                "java\\.util\\.concurrent\\.(Executor|CompletableFuture|ForkJoin|Scheduled|ThreadPool).*"));
        return noClasses()
                .that()
                .resideInAPackage(OURS + "model..")
                .should()
                .dependOnClassesThat(describe(
                        "do I/O or run threads",
                        type -> worldly.matcher(type.getName()).matches()))
                .orShould()
                .callCodeUnitWhere(isCallOf("java\\.net\\.InetAddress\\.(get(By|AllBy|Local)\\w+|isReachable)"))
                .because("the model is values only");
    }

    private static String feature(JavaClass type) {
        var matcher = FEATURE.matcher(type.getPackageName());
        return matcher.matches() ? matcher.group(1) : "";
    }

    private static ArchRule featuresSeeApisOnly() {
        return noClasses()
                .should(new ArchCondition<>("use more of another feature than its api") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        var own = feature(type);
                        type.getDirectDependenciesFromSelf().stream()
                                .filter(use -> !own.isEmpty() && isPrivateOfAnother(own, use.getTargetClass()))
                                .forEach(use -> events.add(SimpleConditionEvent.satisfied(type, use.getDescription())));
                    }
                })
                .because("a feature is one package: what others may know of it is its api");
    }

    private static boolean isPrivateOfAnother(String own, JavaClass used) {
        var other = feature(used);
        return !other.isEmpty()
                && !other.equals(own)
                && !SHARED.contains(other)
                && !(used.getPackageName() + ".").startsWith(OURS + "controllers." + other + ".api.");
    }

    private static ArchRule featuresReachOutInSource() {
        var outside = Pattern.compile("java\\.net\\.http\\..*|java\\.net\\.(Server)?Socket|java\\.nio\\.file\\.Files"
                + "|java\\.nio\\.channels\\..*|java\\.io\\.(File|RandomAccess).*");
        return noClasses()
                .that()
                .resideInAPackage(OURS + "controllers..")
                .and()
                .resideOutsideOfPackage("..source..")
                .should()
                .dependOnClassesThat(describe(
                        "reach out", type -> outside.matcher(type.getName()).matches()))
                .because("what a feature does outside of the cluster is in its source");
    }

    private static DescribedPredicate<JavaClass> areOutside(List<String> places) {
        return describe(
                "are outside of " + places,
                type -> places.stream()
                        .map(place -> OURS + place)
                        .noneMatch(place -> type.getName().equals(place)
                                || type.getName().startsWith(place + ".")
                                || type.getName().startsWith(place + "$")));
    }

    /// @param names patterns of class and method, as in `java\.lang\.Thread\.sleep`
    private static DescribedPredicate<JavaCall<?>> isCallOf(String... names) {
        var banned = Pattern.compile(String.join("|", names));
        return describe(
                "the target is one of " + List.of(names),
                call -> banned.matcher(call.getTargetOwner().getName() + "." + call.getName())
                        .matches());
    }
}
