"""Drives an executable through every command of the server protocol, by the package futhark-server."""

import json
import sys
import tempfile

import futhark_server
import numpy as np


def refuses(what):
    """What fails with a failure of the server, and with nothing else."""
    try:
        what()
    except futhark_server.Failure as failure:
        return str(failure)
    raise AssertionError("the server did not refuse")


with futhark_server.Server(sys.argv[1], "-P") as server:
    assert server.cmd_entry_points() == ["main", "points", "norm", "both", "bump", "fail", "value"]
    assert {"[]point", "point", "f64", "(i64, []f32)"} <= set(server.cmd_types())
    assert server.cmd_inputs("bump") == ["*[]i32"]
    assert server.cmd_output("main") == ["*f64"]

    server.put_value("xs", np.array([1, 2, 3], dtype=np.float64))
    server.put_value("ys", np.array([4, 5, 6], dtype=np.float64))
    server.put_value("n", np.array(3, dtype=np.int64))
    runtime = server.cmd_call("main", "dot", "xs", "ys")
    assert runtime[0].startswith("runtime: "), runtime
    assert server.get_value("dot") == 32
    server.cmd_rename("dot", "product")
    assert "Unknown variable" in refuses(lambda: server.get_value("dot"))

    server.cmd_call("points", "ps", "n")
    xs, ys = server.get_value("ps")
    assert xs.tolist() == [0, 1, 2] and ys.tolist() == [1, 1, 1]
    assert server.cmd_fields("point") == ["x f64", "y f64"]
    server.cmd("index", "p", "ps", "2")
    server.cmd_project("x", "p", "x")
    assert server.get_value("x") == 2
    server.cmd_call("norm", "length", "p")
    assert abs(server.get_value("length") - 5**0.5) < 1e-12
    count, ones = (server.cmd_call("both", "pair", "n"), server.get_value("pair"))[1]
    assert count == 3 and ones.dtype == np.float32 and ones.tolist() == [1, 1, 1]

    # What the package has no method for it sends all the same.
    assert server.cmd("type", "ps") == ["[]point"] and server.cmd("shape", "ps") == ["3"]
    assert server.cmd("rank", "[]point") == ["1"] and server.cmd("elemtype", "[]point") == ["point"]
    kinds = {"f64": "primitive", "[]point": "array", "point": "record", "option": "sum"}
    assert all(server.cmd("kind", ty) == [kind] for ty, kind in kinds.items())
    assert server.cmd("attributes", "fail") == ["slow"] and server.cmd("attributes", "main") == []
    assert [ty.strip("*") for ty in server.cmd("outputs", "both")] == ["i64", "[]f32"]
    server.cmd("new_array", "ns", "[]i64", "2", "n", "n")
    server.put_value("seven", np.array(7, dtype=np.int64))
    server.cmd("set", "ns", "seven", "1")
    assert server.get_value("ns").tolist() == [3, 7]
    server.cmd("zip", "zs", "[]point", "xs", "ys")
    server.cmd("unzip", "zs", "firsts", "seconds")
    assert server.get_value("firsts").tolist() == [1, 2, 3] and server.get_value("seconds").tolist() == [4, 5, 6]
    server.cmd("new", "q", "point", "x", "x")
    server.cmd_call("norm", "diagonal", "q")
    assert abs(server.get_value("diagonal") - 8**0.5) < 1e-12
    assert server.cmd("variants", "option") == ["none", "some", "- f64"]
    server.cmd("construct", "some", "option", "some", "x")
    server.cmd("construct", "none", "option", "none")
    assert server.cmd("variant", "some") == ["some"] and server.cmd("variant", "none") == ["none"]
    server.cmd("destruct", "some", "inside")
    server.cmd_call("value", "zero", "none")
    assert server.get_value("inside") == 2 and server.get_value("zero") == 0

    with tempfile.NamedTemporaryFile() as file:
        server.cmd_store(file.name, "ps")
        server.cmd_restore(file.name, ("again", "[]point"))
    assert server.get_value_bytes("again") == server.get_value_bytes("ps")

    server.put_value("is", np.array([[1, 2]], dtype=np.int32)[0])
    server.cmd_call("bump", "js", "is")
    assert server.get_value("js").tolist() == [2, 3]
    assert "consumed" in refuses(lambda: server.cmd_call("bump", "ks", "is"))
    server.cmd_free("is", "xs", "ys")
    assert "out of bounds" in refuses(lambda: server.cmd_call("fail", "k", "js"))
    assert "Unknown command" in refuses(lambda: server.cmd("frobnicate"))

    report = json.loads("".join(server.cmd_report()))
    assert [event["name"] for event in report["events"]].count("call main") == 1
    server.cmd_pause_profiling()
    server.cmd_clear()
    server.cmd_call("points", "more", "n")
    assert json.loads("".join(server.cmd_report()))["events"] == []
    server.cmd_unpause_profiling()
    assert server.cmd_tuning_params("main") == []
    assert "no tuning parameter" in refuses(lambda: server.cmd_set_tuning_param("tile", "16"))
    assert "no tuning parameter" in refuses(lambda: server.cmd_tuning_param_class("tile"))
