package dev.towtank.model.template.functions;

import dev.towtank.model.template.Functions;

/// What the templates of External Secrets may call: Sprig's functions, YAML, and some for keys and certificates.
public final class ExternalSecretsFunctions {
    private ExternalSecretsFunctions() {}

    public static Functions functions(Ambient ambient) {
        return Sprig.functions(ambient)
                .and(HelmFunctions.yaml())
                .and(PemFunctions.ALL)
                .and(EncodingFunctions.HEX)
                .and(CryptoFunctions.passwords(ambient));
    }
}
