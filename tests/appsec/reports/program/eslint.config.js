const security = require("eslint-plugin-security");

module.exports = [{
    files: ["*.js"], ignores: ["eslint.config.js"], languageOptions: { sourceType: "commonjs" }, plugins: { security },
    rules: { ...security.configs.recommended.rules, "no-eval": "error", "no-unused-vars": "warn" },
}];
