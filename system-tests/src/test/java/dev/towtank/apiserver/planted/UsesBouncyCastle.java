package dev.towtank.apiserver.planted;

import org.bouncycastle.asn1.x500.X500Name;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
record UsesBouncyCastle(X500Name used) {}
