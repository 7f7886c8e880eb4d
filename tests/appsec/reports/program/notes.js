// The page's own part of the notebook.
const { exec } = require("child_process");
const fs = require("fs");

function search(request) {
    return new RegExp(request.query.pattern).test(request.body);
}

function print(request, name) {
    exec("lpr " + name);
    return fs.readFileSync(request.query.file);
}

function calculate(request) {
    const unused = 1;
    return eval(request.query.sum);
}

module.exports = { search, print, calculate };
