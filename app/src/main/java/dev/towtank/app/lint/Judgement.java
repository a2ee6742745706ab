package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.ChartFolders;
import dev.towtank.app.lint.source.Mentions;
import dev.towtank.app.lint.source.Placeholder;
import dev.towtank.app.lint.standing.Appliers;
import dev.towtank.app.lint.standing.Named;
import dev.towtank.app.lint.standing.Standings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The level of a finding says how certain it is: first as far as its own words and its line tell, then by how its file
/// stands. Whoever names a file means it as it is.
final class Judgement {

    /// What is told of values, or of how they are put together: with other values there may be nothing to tell.
    private static final Set<Rule> OF_VALUES = Set.of(
            Rule.YAML_SYNTAX,
            Rule.NO_KIND,
            Rule.UNKNOWN_KIND,
            Rule.WRONG_TYPE,
            Rule.REFUSED,
            Rule.SHELL_SYNTAX,
            Rule.SHELL_PORTABILITY,
            Rule.HERE_DOCUMENT,
            Rule.PYTHON_SYNTAX,
            Rule.UNDEFINED_SECRET,
            Rule.UNDEFINED_CONFIGMAP,
            Rule.UNDEFINED_SERVICEACCOUNT,
            Rule.UNDEFINED_CLAIM,
            Rule.UNDEFINED_STORE,
            Rule.UNDEFINED_VOLUME,
            Rule.UNMATCHED_SELECTOR,
            Rule.UNMATCHED_PORT);

    /// What another value would not have; what a template writes as a text is one with any.
    private static final Set<Rule> OF_ONE_VALUE = Set.of(
            Rule.YAML_SYNTAX,
            Rule.UNKNOWN_KIND,
            Rule.UNKNOWN_FIELD,
            Rule.REFUSED,
            Rule.UNDEFINED_VOLUME,
            Rule.UNMATCHED_PORT);

    /// What is in no file: the flags and nodes of a cluster, what people find worth their while, and whether a task was
    /// switched off by a constant on purpose.
    private static final Set<Rule> FOR_WHO_ASKS =
            Set.of(Rule.FEATURE_FLAG, Rule.UNUSED_PARAM, Rule.SHARED_CLAIM, Rule.UNREACHABLE_TASK, Rule.IMAGE_LATEST);

    /// Of a chart, what other values would switch on or off.
    private static final Set<Rule> OF_PARTS =
            Set.of(Rule.DUPLICATE_OBJECT, Rule.UNMATCHED_SELECTOR, Rule.UNMATCHED_PORT);

    private static final Set<Rule> OF_RUNS = Set.of(Rule.UNDEFINED_VARIABLE, Rule.UNDEFINED_WORKSPACE);

    /// Pipelines as Code writes the pipelines and tasks of its folder into the run, which has params and workspaces of
    /// its
    /// own.
    private static final Pattern OF_PIPELINES_AS_CODE = Pattern.compile("(^|[/\\\\])\\.tekton[/\\\\]");

    /// It makes one of its own of it.
    private static final String NAME = "metadata.name:";

    private static final Pattern LACKS_FOR_KUBERNETES =
            Pattern.compile(": Required value\\b|`selector` does not match|null labelSelector");
    /// From a selector that is missing.
    private static final Pattern FOLLOWS = Pattern.compile("`selector` does not match|null labelSelector");

    private static final Pattern LACKS_FOR_TEKTON = Pattern.compile("missing field\\(s\\)|expected .*, got neither");

    /// Where somebody left room for a value: the field itself is there.
    private static final Pattern LACKING = Pattern.compile("\\b(\\w+)(\\[\\d+])?: Required value");

    private static final Pattern REFUSED_VALUE = Pattern.compile("(?:Invalid|Unsupported) value: \"([^\"]+)\"");

    private static final Pattern EMPTY_VALUE = Pattern.compile("Invalid value: \"\":");
    private static final Pattern WITHOUT_VALUE = Pattern.compile("(- )?[\\w\"'./-]+:\\s*(\"\"|'')?\\s*(#.*)?");

    /// Nothing behind the colon is a map to YAML, and anything else a text.
    private static final Pattern COLON_AND_BRACES = Pattern.compile("\\S:\\{\\{[^{}]*}}[\"']?\\s*$");

    /// As Helm has it, and as formatters that take it for YAML leave it.
    private static final Pattern IN_BRACES = Pattern.compile("\\{ ?\\{");

    /// Whoever applies it writes something else there first.
    private static final Pattern TO_BE_CHANGED =
            Pattern.compile("(?i)\\s#.*\\b(change|replace|fill in|edit|adjust|adapt|put your|set your)\\b");

    /// Other values have other keys.
    private static final Pattern KEY_IN_BRACES = Pattern.compile("\\s*(- +)?[\"']?[\\w./-]*\\{\\{[^}]*\\}\\}[^:]*:");

    private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"");

    /// A cluster may have a gate for it that is open.
    private static final Pattern BEHIND_A_GATE = Pattern.compile("spec\\.minReplicas: Invalid value: 0:");

    /// What Kubernetes had once: a file with one of these may be as old as its cluster.
    private static final Pattern WERE_FIELDS = Pattern.compile("\\bmetadata\\.(initializers|clusterName)\"");

    /// What fails says nothing there, and the next one is asked.
    private static final Pattern WITH_ANOTHER_WAY =
            Pattern.compile("stat\\s+-f[\"']?%.*\\|\\|\\s*g?stat\\s+(-c|--format|--printf)");

    /// Of labels and annotations Kustomize makes texts.
    private static final Pattern TEXT_TO_KUSTOMIZE =
            Pattern.compile("metadata\\.(annotations|labels)\\..* must be a text, not (a number|true or false)$");

    private static final int MOST_LACKING = 1;

    /// Who writes more values of a wrong type writes about values.
    private static final int MOST_WRONG = 4;

    private static final int MOST_CREATED = 20;

    /// A field of a custom kind in more files is one that the definition on the cluster has.
    private static final int MOST_UNKNOWN = 3;

    private final Observations all;
    private final Named named;
    private final Standings standings;
    private final Map<String, Set<String>> lacking = new HashMap<>();
    private final Map<String, Set<String>> unknown = new HashMap<>();
    private final Map<String, Integer> wrong = new HashMap<>();
    private final Map<String, Boolean> created = new HashMap<>();
    /// Folders with something below that is filled in first.
    private final Set<Path> templates = new HashSet<>();

    Judgement(Observations all, Named named) {
        this.all = all;
        this.named = named;
        this.standings = new Standings(named, new Appliers(named, all.listings()));
        for (var finding : all.findings) {
            if (lacksSomething(finding) && !FOLLOWS.matcher(finding.message()).find()) {
                lacking.computeIfAbsent(finding.place().file(), _ -> new HashSet<>())
                        .add(finding.message());
            }
            if (finding.rule() == Rule.WRONG_TYPE) {
                wrong.merge(finding.place().file(), 1, Integer::sum);
            }
            if (finding.rule() == Rule.UNKNOWN_FIELD && finding.level() == Level.WARNING) {
                unknown.computeIfAbsent(finding.message(), _ -> new HashSet<>())
                        .add(finding.place().file());
            }
        }
        for (var file : all.toBeFilledIn) {
            for (var folder = Path.of(file).getParent();
                    folder != null && templates.add(folder);
                    folder = folder.getParent()) {}
        }
    }

    static boolean lacksSomething(Finding finding) {
        return finding.rule() == Rule.REFUSED
                && (LACKS_FOR_KUBERNETES.matcher(finding.message()).find()
                        || LACKS_FOR_TEKTON.matcher(finding.message()).find());
    }

    Finding of(Finding finding) {
        if (finding.level() == Level.INFO || isFilledIn(finding)) {
            return finding.at(Level.INFO);
        }
        var file = finding.place().file();
        var judged = Kustomizations.judged(finding, all);
        if (!named.hasNear(file)) {
            judged = unlessNamed(judged);
        } else if (!named.has(file) && lacksSomething(judged) && isRoom(judged)) {
            judged = judged.at(Level.INFO);
        }
        return judged.level() == Level.INFO ? judged : standings.of(file).judged(judged);
    }

    /// Whether somebody fills in a value before a server sees it.
    private boolean isFilledIn(Finding finding) {
        var file = finding.place().file();
        var line = finding.place().excerpt();
        boolean isOfAValue = OF_VALUES.contains(finding.rule());
        return all.ofYtt.contains(file)
                || (isOfAValue && (all.toBeFilledIn.contains(file) || Placeholder.isForATool(line)))
                || (isOfAValue && TO_BE_CHANGED.matcher(line).find())
                || (OF_ONE_VALUE.contains(finding.rule()) && isInBraces(finding))
                || (finding.rule() == Rule.DUPLICATE_KEY
                        && KEY_IN_BRACES.matcher(line).lookingAt())
                || (Set.of(Rule.YAML_SYNTAX, Rule.UNKNOWN_KIND).contains(finding.rule()) && line.contains("${"))
                || (finding.rule() == Rule.UNRENDERABLE
                        && templates.contains(Path.of(file).getParent()))
                || (ChartFolders.isTemplate(file) && isOfOtherValues(finding));
    }

    /// Whether a chart would be taken with other values than its own: what is refused stands in none of its lines.
    private static boolean isOfOtherValues(Finding finding) {
        if (OF_PARTS.contains(finding.rule())) {
            return true; // of parts that values switch on and off
        }
        var value = REFUSED_VALUE.matcher(finding.message());
        return (finding.rule() == Rule.REFUSED || finding.rule() == Rule.SERVER_WARNING)
                && !lacksSomething(finding)
                && !(value.find() && finding.place().excerpt().contains(value.group(1)));
    }

    private Finding unlessNamed(Finding finding) {
        if (FOR_WHO_ASKS.contains(finding.rule()) || isOfARun(finding) || ConnectionMatches.isOfANumber(finding)) {
            return finding.at(Level.INFO);
        }
        if (all.deprecated.contains(finding.place().file())) {
            return finding.at(Level.INFO);
        }
        return switch (finding.rule()) {
            case STAT_FORMAT ->
                WITH_ANOTHER_WAY.matcher(finding.place().excerpt()).find() ? finding.at(Level.INFO) : finding;
            case REFUSED -> lacksSomething(finding) ? lacking(finding) : refused(finding);
            case UNSERVED_VERSION ->
                standings.isOfOtherTimes(finding.place().file())
                        ? finding.at(Level.INFO)
                        : Outdated.judged(finding, all);
            case UNDEFINED_SECRET, UNDEFINED_CONFIGMAP, UNDEFINED_SERVICEACCOUNT ->
                isCreatedBySomething(finding) ? finding.at(Level.INFO) : ofWords(finding);
            case WRONG_TYPE -> {
                var file = finding.place().file();
                boolean isNone = wrong.getOrDefault(file, 0) > MOST_WRONG
                        || COLON_AND_BRACES.matcher(finding.place().excerpt()).find()
                        || (TEXT_TO_KUSTOMIZE.matcher(finding.message()).find()
                                && (standings.isBuilt(file) || Kustomizations.isAPart(file, all.patches)));
                // With another value of a chart it may be right.
                boolean isOfAValue = ChartFolders.isTemplate(file) && isInBraces(finding);
                yield isNone ? finding.at(Level.INFO) : isOfAValue ? atMostAWarning(finding) : ofWords(finding);
            }
            // What resembles no other may be made by an operator.
            case UNDEFINED_TARGET -> finding.advice().startsWith("Did you mean") ? finding : finding.at(Level.INFO);
            case UNDEFINED_KEY -> isCreatedBySomething(finding) ? finding.at(Level.INFO) : ofWords(finding);
            case UNKNOWN_FIELD ->
                WERE_FIELDS.matcher(finding.message()).find()
                                || unknown.getOrDefault(finding.message(), Set.of())
                                                .size()
                                        > MOST_UNKNOWN
                        ? finding.at(Level.INFO)
                        : ofWords(finding);
            default -> ofWords(finding);
        };
    }

    /// Whether a script or a page of the repository has a command that creates an object of that name. Each look reads
    /// the repository: of more names nothing is looked for.
    private boolean isCreatedBySomething(Finding finding) {
        var name = QUOTED.matcher(finding.message());
        var folder = Path.of(finding.place().file()).toAbsolutePath().getParent();
        if (!name.find() || folder == null) {
            return false;
        }
        return created.size() < MOST_CREATED
                ? created.computeIfAbsent(name.group(1), each -> Mentions.ofWriting(folder, each))
                : created.getOrDefault(name.group(1), false);
    }

    private boolean isOfARun(Finding finding) {
        return (OF_RUNS.contains(finding.rule()) || finding.message().startsWith(NAME))
                && OF_PIPELINES_AS_CODE.matcher(finding.place().file()).find();
    }

    private Finding refused(Finding finding) {
        boolean isLeftEmpty = EMPTY_VALUE.matcher(finding.message()).find()
                && WITHOUT_VALUE.matcher(finding.place().excerpt().strip()).matches();
        return isLeftEmpty || BEHIND_A_GATE.matcher(finding.message()).find()
                ? finding.at(Level.INFO)
                : ofWords(Outdated.judged(finding, all));
    }

    /// Where there are values such as `your-domain`, others may be meant to be replaced as well.
    private Finding ofWords(Finding finding) {
        boolean isDoubtful = finding.level() == Level.ERROR
                && OF_VALUES.contains(finding.rule())
                && all.standIns.contains(finding.place().file());
        return isDoubtful ? finding.at(Level.WARNING) : finding;
    }

    /// An object that lacks one thing is a slip, one that lacks several is a part of one; and a Task is seldom
    /// completed by others, unlike objects of Kubernetes.
    private Finding lacking(Finding finding) {
        var file = finding.place().file();
        if (isRoom(finding)) {
            return finding.at(Level.INFO);
        }
        if (ChartFolders.isTemplate(file)) { // nobody completes a chart
            return atMostAWarning(finding);
        }
        boolean isMuch = lacking.getOrDefault(file, Set.of()).size() > MOST_LACKING;
        boolean isOfKubernetes = LACKS_FOR_KUBERNETES.matcher(finding.message()).find();
        if (isMuch || (isOfKubernetes && finding.level() != Level.ERROR)) {
            return finding.at(Level.INFO);
        }
        return isOfKubernetes ? finding.at(Level.WARNING) : finding;
    }

    private static Finding atMostAWarning(Finding finding) {
        return finding.level() == Level.ERROR ? finding.at(Level.WARNING) : finding;
    }

    private static boolean isRoom(Finding finding) {
        var field = LACKING.matcher(finding.message());
        var line = finding.place().excerpt().strip();
        return field.find() && line.matches("(- )?\"?%s\"?:\\s*(\"\"|'')?\\s*(#.*)?".formatted(field.group(1)));
    }

    static boolean isInBraces(Finding finding) {
        return IN_BRACES.matcher(finding.place().excerpt()).find();
    }
}
