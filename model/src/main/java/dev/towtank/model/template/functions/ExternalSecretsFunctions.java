package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.STRING;

import dev.towtank.model.template.Arguments;
import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Functions;
import java.util.ArrayList;
import java.util.regex.Pattern;

/// What the templates of External Secrets may call: Sprig's functions, YAML, and some for keys and certificates.
public final class ExternalSecretsFunctions {
    private static final Pattern PEM =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----\\r?\\n.*?-----END \\1-----", Pattern.DOTALL);

    private static final Functions OWN = Functions.builder()
            .add("filterPEM", ExternalSecretsFunctions::filter, STRING, STRING)
            .build();

    private ExternalSecretsFunctions() {}

    public static Functions functions(Ambient ambient) {
        return Sprig.functions(ambient).and(HelmFunctions.yaml()).and(OWN);
    }

    private static Object filter(Arguments call) {
        var found = new ArrayList<String>();
        var matcher = PEM.matcher(call.string(1));
        while (matcher.find()) {
            if (call.string(0).equals(matcher.group(1))) {
                found.add(matcher.group() + "\n");
            }
        }
        if (found.isEmpty() && !matcher.reset().find()) {
            throw new FunctionError("failed to decode PEM block");
        }
        return String.join("", found);
    }
}
