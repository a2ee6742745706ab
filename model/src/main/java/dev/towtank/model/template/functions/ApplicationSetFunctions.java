package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.ANY;
import static dev.towtank.model.template.GoType.STRING;

import dev.towtank.model.template.Arguments;
import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.Values;
import java.text.Normalizer;
import java.util.Locale;

/// What the templates of application sets may call: Sprig's functions, YAML, and two that make names.
public final class ApplicationSetFunctions {
    private static final int LONGEST_NAME = 253;
    private static final int LONGEST_SLUG = 50;

    private static final Functions OWN = Functions.builder()
            .add("normalize", call -> normalize(call.string(0)), STRING)
            .addVariadic("slugify", ApplicationSetFunctions::slugify, ANY)
            .build();

    private ApplicationSetFunctions() {}

    public static Functions functions(Ambient ambient) {
        return Sprig.functions(ambient).and(HelmFunctions.yaml()).and(OWN);
    }

    private static String normalize(String text) {
        var name = text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-");
        name = name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name;
        return name.replaceAll("^[-.]+|[-.]+$", "");
    }

    // With a number, the longest that it may be; with a truth value, whether words are left whole.
    private static Object slugify(Arguments call) {
        int longest = LONGEST_SLUG;
        boolean wholeWords = false;
        for (int i = 0; i < call.size() - 1; i++) {
            switch (call.any(i)) {
                case Long number -> longest = (int) Math.min(Math.max(1, number), LONGEST_NAME);
                case Boolean bool -> wholeWords = bool;
                case null, default ->
                    throw new FunctionError("slugify takes a length and a truth value before its text, not "
                            + Values.type(call.any(i)));
            }
        }
        if (call.size() == 0 || !(call.any(call.size() - 1) instanceof String text)) {
            throw new FunctionError("slugify needs a text as its last argument");
        }
        var plain = Normalizer.normalize(text, Normalizer.Form.NFD).replaceAll("\\p{M}", "");
        var slug = plain.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
        if (slug.length() > longest) {
            int cut = wholeWords ? slug.lastIndexOf('-', longest) : longest;
            slug = slug.substring(0, cut > 0 ? cut : longest);
        }
        return slug.replaceAll("-+$", "");
    }
}
