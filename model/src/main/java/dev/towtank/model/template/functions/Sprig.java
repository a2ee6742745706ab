package dev.towtank.model.template.functions;

import dev.towtank.model.template.Functions;

/// The functions of Sprig 3, without those that look at the machine: `env`, `expandenv` and, of `getHostByName`, the
/// answer.
public final class Sprig {
    private static final Functions PURE = TextFunctions.ALL
            .and(ListFunctions.ALL)
            .and(DictFunctions.ALL)
            .and(NumberFunctions.ALL)
            .and(DefaultFunctions.ALL)
            .and(EncodingFunctions.ALL)
            .and(RegexFunctions.ALL)
            .and(SemanticVersions.ALL)
            .and(PathFunctions.ALL)
            .and(UrlFunctions.ALL);

    private Sprig() {}

    public static Functions functions(Ambient ambient) {
        return PURE.and(RandomFunctions.of(ambient.random()))
                .and(CryptoFunctions.of(ambient))
                .and(DateFunctions.of(ambient));
    }
}
