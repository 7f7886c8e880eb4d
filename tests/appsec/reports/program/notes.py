"""A notebook behind a web page: small, and wrong in several ways, so that scanners have something to say."""
import hashlib
import sqlite3
import subprocess

import yaml


def find(request):
    name = request.args.get("name")
    database = sqlite3.connect("notes.db")
    return database.execute("SELECT text FROM notes WHERE name = '" + name + "'").fetchall()


def export(request):
    folder = request.args.get("folder")
    subprocess.run("tar cf notes.tar " + folder, shell=True)
    return "done"


def settings(request):
    return yaml.load(request.data)


def mark(text):
    return hashlib.md5(text.encode()).hexdigest()


def calculate(request):
    return eval(request.args.get("sum"))


def calculate_again(request):
    return eval(request.args.get("sum"))
