package dev.towtank.app.lint.source;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/// What a file is there for decides how sure a finding in it is: nobody applies what is put away, and what somebody
/// fills in is not what a server sees. An error needs a file of which nothing says that it is not applied as it is.
public final class Certainty {

    /// What is put away, releases of an operator, which are as they were, and what shows how something went wrong.
    private static final Pattern OUT_OF_USE = Pattern.compile(
            "(?i)(^|[/\\\\])([^/\\\\]*[._-])?(archived?|deprecated|obsolete|old|unused|disabled|attic|graveyard|retired|removed)[/\\\\]"
                    + "|(^|[/\\\\])archived?[-_][^/\\\\]*[/\\\\]"
                    + "|[-_.](disabled|deprecated|unused|obsolete|old|bak|orig)\\.(ya?ml|json)$"
                    + "|(^|[/\\\\])(olm-catalog|issues?|snapshots?|versions[/\\\\]v?\\d[^/\\\\]*)[/\\\\]|(^|[/\\\\])bundles?[/\\\\](.*[/\\\\])?v?\\d+\\.\\d+");

    /// Pipelines as Code writes the tasks of this folder into the run, which has params and workspaces of its own, and
    /// services write whole pipelines there, with params for others to come.
    private static final Pattern OF_PIPELINES_AS_CODE = Pattern.compile("(^|[/\\\\])\\.tekton[/\\\\]");

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
            Rule.UNMATCHED_SELECTOR,
            Rule.UNMATCHED_PORT);

    private static final Set<Rule> OF_WORDS = Set.of(Rule.YAML_SYNTAX, Rule.UNKNOWN_KIND);

    private static final Set<Rule> OF_RUNS = Set.of(Rule.UNDEFINED_VARIABLE, Rule.UNUSED_PARAM);

    /// Pipelines as Code makes one of its own of it.
    private static final String NAME = "metadata.name:";

    private final Set<String> toBeFilledIn;
    private final Set<String> standIns;
    private final Named named;
    private final Programs programs = new Programs();
    private final Releases releases = new Releases();
    private final Set<Path> folders = new HashSet<>();

    /// @param toBeFilledIn files with words in the place of values
    /// @param standIns files with values that may be such words
    public Certainty(Set<String> toBeFilledIn, Set<String> standIns, Named named) {
        this.named = named;
        this.standIns = Set.copyOf(standIns);
        this.toBeFilledIn = Set.copyOf(toBeFilledIn);
        for (var file : toBeFilledIn) {
            for (var folder = Path.of(file).getParent();
                    folder != null && folders.add(folder);
                    folder = folder.getParent()) {}
        }
    }

    /// A finding, at the level that it has where it was made.
    public Finding judged(Finding finding) {
        var file = finding.place().file();
        if (finding.level() == Level.INFO || isUnsure(finding)) {
            return finding.at(Level.INFO);
        }
        if (named.has(file)) {
            return programs.read(file) ? finding.at(Level.INFO) : finding;
        }
        if (isSomebodyElses(finding) || programs.read(file)) {
            return finding.at(Level.INFO);
        }
        boolean isSure = !named.leavesOut(file) && !isDoubtful(finding);
        return finding.level() == Level.ERROR && !isSure ? finding.at(Level.WARNING) : finding;
    }

    private boolean isUnsure(Finding finding) {
        var file = finding.place().file();
        return OUT_OF_USE.matcher(named.inside(file)).find()
                || (OF_WORDS.contains(finding.rule())
                        && finding.place().excerpt().contains("${"))
                || (OF_VALUES.contains(finding.rule())
                        && (toBeFilledIn.contains(file)
                                || Placeholder.isForATool(finding.place().excerpt())))
                || (finding.rule() == Rule.UNRENDERABLE && isAboveATemplate(Path.of(file)));
    }

    /// Whether another project, an older release or a program decides what a server gets.
    private boolean isSomebodyElses(Finding finding) {
        var file = finding.place().file();
        var inside = named.inside(file);
        return Doubts.isOfAProgram(inside)
                || releases.hasNewer(file)
                || ChartFolders.isOfASubchart(file)
                || ((OF_RUNS.contains(finding.rule()) || finding.message().startsWith(NAME))
                        && OF_PIPELINES_AS_CODE.matcher(inside).find());
    }

    private boolean isDoubtful(Finding finding) {
        var file = finding.place().file();
        var inside = named.inside(ChartFolders.withoutTemplates(file));
        return Doubts.areThereOf(inside)
                || Doubts.hasASolution(Path.of(file))
                || Doubts.isAppliedByAProgram(Path.of(file))
                || (OF_VALUES.contains(finding.rule()) && standIns.contains(file));
    }

    /// Whether something that a chart or a kustomization is made of is filled in first.
    private boolean isAboveATemplate(Path file) {
        return file.getParent() != null && folders.contains(file.getParent());
    }
}
