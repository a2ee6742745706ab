package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.Certainty;
import dev.towtank.app.lint.source.ChartFolders;
import dev.towtank.app.lint.source.Illustrations;
import dev.towtank.app.lint.source.Named;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The level of a finding says how certain it is. What a text says is an error, unless something speaks against its
/// being applied as it is; what it lacks somebody may add; and what goes against the ways of the other files is a
/// slip. Whoever names a file means it as it is.
final class Judgement {

    /// Values that a chart or a template fills in are for whoever installs it: with its own alone it is often not
    /// whole.
    private static final Set<Rule> OF_VALUES =
            Set.of(Rule.REFUSED, Rule.YAML_SYNTAX, Rule.UNKNOWN_FIELD, Rule.UNKNOWN_KIND);

    private static final Pattern LACKS_FOR_KUBERNETES =
            Pattern.compile(": Required value\\b|`selector` does not match|null labelSelector");
    /// From a selector that is missing.
    private static final Pattern FOLLOWS = Pattern.compile("`selector` does not match|null labelSelector");

    private static final Pattern LACKS_FOR_TEKTON = Pattern.compile("missing field\\(s\\)|expected .*, got neither");

    /// Where somebody left room for a value: the field itself is there.
    private static final Pattern LACKING = Pattern.compile("\\b(\\w+)(\\[\\d+])?: Required value");

    private static final Pattern UNUSED = Pattern.compile("the (.*) never uses its param \"(.*)\"");
    /// More of one Task, or files with one of a name, are an interface that is kept alike.
    private static final int MOST_UNUSED = 3;

    private static final int MOST_LACKING = 1;

    private final Observations all;
    private final Named named;
    private final Certainty certainty;
    private final Map<String, Set<String>> lacking = new HashMap<>();
    private final Map<String, Set<String>> unused = new HashMap<>();
    private final Map<String, Integer> unpinned = new HashMap<>();

    Judgement(Observations all, Named named) {
        this.all = all;
        this.named = named;
        this.certainty = new Certainty(all.toBeFilledIn, all.standIns, named);
        for (var finding : all.findings) {
            var file = finding.place().file();
            if (lacksSomething(finding) && !FOLLOWS.matcher(finding.message()).find()) {
                lacking.computeIfAbsent(file, _ -> new HashSet<>()).add(finding.message());
            }
            Images.named(finding).ifPresent(image -> unpinned.merge(image, 1, Integer::sum));
            var param = UNUSED.matcher(finding.message());
            if (finding.rule() == Rule.UNUSED_PARAM && param.matches()) {
                unused.computeIfAbsent(file, _ -> new HashSet<>()).add(param.group(2));
                unused.computeIfAbsent(param.group(2), _ -> new HashSet<>()).add(file);
            }
        }
    }

    static boolean lacksSomething(Finding finding) {
        return finding.rule() == Rule.REFUSED
                && (LACKS_FOR_KUBERNETES.matcher(finding.message()).find()
                        || LACKS_FOR_TEKTON.matcher(finding.message()).find());
    }

    Finding of(Finding finding) {
        var judged = Illustrations.judged(Kustomizations.judged(finding, all));
        judged = certainty.judged(named.has(finding.place().file()) ? judged : unlessNamed(judged));
        return OF_VALUES.contains(judged.rule()) && isInBraces(judged) ? judged.at(Level.INFO) : judged;
    }

    private Finding unlessNamed(Finding finding) {
        return switch (finding.rule()) {
            case REFUSED -> lacksSomething(finding) ? lacking(finding) : Outdated.judged(finding, all);
            case UNSERVED_VERSION -> Outdated.judged(finding, all);
            case IMAGE_LATEST -> image(finding);
            case UNUSED_PARAM -> unused(finding);
            case FEATURE_FLAG -> finding.at(Level.INFO); // the cluster has it or not
            default -> finding;
        };
    }

    /// An object that lacks one thing is a slip, one that lacks several is a part of one; and a Task is seldom
    /// completed by others, unlike objects of Kubernetes.
    private Finding lacking(Finding finding) {
        var file = finding.place().file();
        if (isRoom(finding)) {
            return finding.at(Level.INFO);
        }
        if (named.hasNear(file)) {
            return finding;
        }
        if (ChartFolders.isTemplate(file)) { // nobody completes a chart
            return finding.level() == Level.ERROR ? finding.at(Level.WARNING) : finding;
        }
        boolean isMuch = lacking.getOrDefault(file, Set.of()).size() > MOST_LACKING;
        boolean isOfKubernetes = LACKS_FOR_KUBERNETES.matcher(finding.message()).find();
        if (isMuch || (isOfKubernetes && finding.level() != Level.ERROR)) {
            return finding.at(Level.INFO);
        }
        return isOfKubernetes ? finding.at(Level.WARNING) : finding;
    }

    private static boolean isRoom(Finding finding) {
        var field = LACKING.matcher(finding.message());
        var line = finding.place().excerpt().strip();
        return field.find() && line.matches("(- )?\"?%s\"?:\\s*(\"\"|'')?\\s*(#.*)?".formatted(field.group(1)));
    }

    /// Who never names versions does not want to; where most other uses of an image have one, this was forgotten.
    private Finding image(Finding finding) {
        var version = Images.named(finding).filter(this::isMostlyPinned).map(all.pinnedImages::get);
        return version.map(uses -> Finding.of(
                                finding.rule(),
                                finding.place(),
                                finding.message(),
                                "Name a version or a digest; elsewhere it is \"" + uses.getFirst() + "\".")
                        .at(finding.level()))
                .orElseGet(() -> finding.at(Level.INFO));
    }

    private boolean isMostlyPinned(String image) {
        var uses = all.pinnedImages.getOrDefault(image, List.of());
        boolean areAlike = uses.stream().distinct().count() == 1;
        return areAlike && uses.size() > 1 && uses.size() > unpinned.getOrDefault(image, 0);
    }

    private Finding unused(Finding finding) {
        var param = UNUSED.matcher(finding.message());
        boolean isKept = param.matches()
                && (unused.getOrDefault(finding.place().file(), Set.of()).size() > MOST_UNUSED
                        || unused.getOrDefault(param.group(2), Set.of()).size() >= MOST_UNUSED);
        return isKept ? finding.at(Level.INFO) : finding;
    }

    static boolean isInBraces(Finding finding) {
        return finding.place().excerpt().contains("{{");
    }
}
