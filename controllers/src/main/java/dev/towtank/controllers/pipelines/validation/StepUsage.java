package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.Step;
import dev.towtank.controllers.pipelines.api.StepAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The texts of a step that variables are checked in.
///
/// @param expanding commands and arguments, where an array may stand
record StepUsage(List<Place> plain, List<Place> expanding, String onError) {

    /// @param pathOfUnknown for one check Tekton spells some paths in another way
    record Place(String text, String path, String pathOfUnknown) {
        Place(String text, String path) {
            this(text, path, path);
        }
    }

    static StepUsage of(Step step) {
        var plain = new ArrayList<Place>();
        plain.add(new Place(step.name(), "name"));
        plain.add(new Place(step.image(), "image"));
        plain.add(new Place(step.workingDir(), "workingDir"));
        plain.add(new Place(step.script(), "script"));
        step.env().forEach(env -> plain.add(new Place(env.string("value"), "env.[" + env.string("name") + "]")));
        for (int i = 0; i < step.volumeMounts().size(); i++) {
            var mount = step.volumeMounts().get(i);
            var at = "volumeMount.[" + i + "].";
            plain.add(new Place(mount.string("name"), at + "name"));
            plain.add(new Place(mount.string("mountPath"), at + "mountPath", at + "MountPath"));
            plain.add(new Place(mount.string("subPath"), at + "subPath", at + "SubPath"));
        }
        return new StepUsage(plain, commands(step.command(), step.args()), step.onError());
    }

    static StepUsage of(StepAction.Spec action) {
        var plain = new ArrayList<Place>();
        plain.add(new Place(action.image(), "image"));
        plain.add(new Place(action.script(), "script"));
        action.env().forEach(env -> plain.add(new Place(env.string("value"), "env.[" + env.string("name") + "]")));
        for (int i = 0; i < action.volumeMounts().size(); i++) {
            plain.add(new Place(action.volumeMounts().get(i).string("name"), "volumeMounts.[" + i + "]"));
        }
        return new StepUsage(plain, commands(action.command(), action.args()), "");
    }

    private static List<Place> commands(List<String> command, List<String> args) {
        var places = new ArrayList<Place>();
        for (int i = 0; i < command.size(); i++) {
            places.add(new Place(command.get(i), "command.[" + i + "]"));
        }
        for (int i = 0; i < args.size(); i++) {
            places.add(new Place(args.get(i), "args.[" + i + "]"));
        }
        return places;
    }

    static List<StepUsage> ofAll(List<Step> steps) {
        return steps.stream().map(StepUsage::of).toList();
    }

    private interface Check {
        Problems of(String text);
    }

    private Problems each(Check plainCheck, Check expandingCheck, boolean isForUnknown) {
        var problems = Problems.none();
        for (var place : plain) {
            problems.add(plainCheck.of(place.text).via(isForUnknown ? place.pathOfUnknown : place.path));
        }
        expanding.forEach(place -> problems.add(expandingCheck.of(place.text).via(place.path)));
        return problems;
    }

    Problems unknown(String prefix, Set<String> names) {
        Check check = text -> Variables.unknown(text, prefix, names);
        return each(check, check, true).add(check.of(onError).via("onError"));
    }

    Problems arrays(Set<String> names) {
        return each(
                text -> Variables.prohibited(text, "params", names),
                text -> Variables.isolated(text, "params", names),
                false);
    }

    Problems wholeObjects(Set<String> names) {
        Check check = text -> Variables.prohibitedAsWhole(text, "params", names);
        return each(check, check, false);
    }

    static Problems unknown(List<StepUsage> steps, String prefix, Set<String> names) {
        var problems = Problems.none();
        for (int i = 0; i < steps.size(); i++) {
            problems.add(steps.get(i).unknown(prefix, names).viaFieldIndex("steps", i));
        }
        return problems;
    }

    // In both that follow, a step's path is put in front of those of the steps before it as well: so it is in Tekton.

    static Problems arrays(List<StepUsage> steps, Set<String> names) {
        var problems = Problems.none();
        for (int i = 0; i < steps.size(); i++) {
            problems = Problems.none()
                    .add(problems)
                    .add(steps.get(i).arrays(names))
                    .viaFieldIndex("steps", i);
        }
        return problems;
    }

    static Problems wholeObjects(List<StepUsage> steps, Set<String> names) {
        var problems = Problems.none();
        for (int i = 0; i < steps.size(); i++) {
            problems = Problems.none()
                    .add(problems)
                    .add(steps.get(i).wholeObjects(names))
                    .viaFieldIndex("steps", i);
        }
        return problems;
    }
}
